import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listSealedSecrets, type SealedSecret } from "#db/queries/audit/sealed-secrets.ts";
import { findPlace, insertDestination } from "#db/queries/events/destinations.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { identityProviders } from "#db/schema/identity-providers.ts";
import { notificationSettings } from "#db/schema/notifications.ts";
import { newId } from "#domain/ids.ts";
import {
  callbackSecretOf,
  clientSecretOf,
  destinationSecretOf,
  destinationUrlOf,
  draftSecretOf,
  keptAnswerOf,
  SEALED_COLUMNS,
  secretOfKey,
  totpDraftOf,
  totpSecretOf,
  webhookOf,
} from "#domain/sealed-place.ts";
import { createVault } from "#server/adapters/vault.ts";
import type { Vault } from "#server/ports.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson } from "#testing/people.ts";
import { resealSecrets } from "./reseal-secrets.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const [old, current] = [
  { id: "old", key: randomBytes(32) },
  { id: "new", key: randomBytes(32) },
];

/** A different secret in every column with secrets. */
async function sealEverywhere(vault: Vault, mark: string): Promise<void> {
  const { db } = database;
  const { partnerId, apiKeyId } = await addPartner(db);
  const sealedSecret = vault.seal(`${mark} api`, secretOfKey(apiKeyId));
  await db.update(apiKeys).set({ sealedSecret }).where(eq(apiKeys.id, apiKeyId));
  await db.insert(callbackSecrets).values({
    id: randomUUID(),
    partnerId,
    createdAt: new Date(),
    sealedSecret: vault.seal(`${mark} callback`, callbackSecretOf(partnerId)),
  });
  const id = randomUUID();
  await addPerson(db, "admin", null, {
    id,
    sealedTotpSecret: vault.seal(`${mark} totp`, totpSecretOf(id)),
    sealedTotpDraft: vault.seal(`${mark} draft`, totpDraftOf(id)),
  });
  await db.insert(notificationSettings).values({
    userId: id,
    webhookHost: "hooks.example",
    digest: "at_once",
    zone: "UTC",
    sealedWebhookUrl: vault.seal(`${mark} webhook`, webhookOf(id)),
  });
  const providerId = randomUUID();
  await db.insert(identityProviders).values({
    id: providerId,
    slug: `p-${providerId.slice(0, 8)}`,
    createdAt: new Date(),
    sealedClientSecret: vault.seal(`${mark} client`, clientSecretOf(providerId)),
    sealedDraftSecret: vault.seal(`${mark} client draft`, draftSecretOf(providerId)),
  });
  const destinationId = newId("destination", new Date());
  await insertDestination(db, {
    id: destinationId,
    partnerId,
    apiKeyId,
    type: "amqp",
    url: "amqps://broker.example/",
    sealedUrl: vault.seal(`${mark} destination url`, destinationUrlOf(destinationId)),
    sealedSecret: vault.seal(`${mark} destination`, destinationSecretOf(destinationId)),
    types: [],
    audiences: [],
    description: "",
    status: "active",
    ...(await findPlace(db, partnerId, null)),
    ahead: [],
    failures: 0,
    failingSince: null,
    lastError: null,
    lastDeliveredAt: null,
    pausedAt: null,
    nextAttemptAt: null,
    test: null,
    createdAt: new Date(),
  });
  const answer = { ownerId: partnerId, method: "POST", path: "/", key: `k ${mark}` };
  await db.insert(idempotencyKeys).values({
    ...answer,
    bodySha256: "",
    responseStatus: 201,
    responseHeaders: "{}",
    responseBody: "",
    createdAt: new Date(),
    sealedBody: vault.seal(`${mark} answer`, keptAnswerOf(answer)),
  });
}

const PLAIN = ["answer", "api", "callback", "client", "client draft", "destination", "destination url", "draft", "totp", "webhook"];
const opened = async (vault: Vault) =>
  (await listSealedSecrets(database.db)).map(({ sealed, place }) => vault.open(sealed, place)).toSorted();
const both = [...PLAIN.map((what) => `one ${what}`), ...PLAIN.map((what) => `two ${what}`)];

describe("after a rotation", () => {
  for (const [name, binds] of [
    ["sealed in the same form", true],
    ["sealed in the form of before", false],
  ] as const)
    test(`every secret ${name} is sealed under the new key, reads as before, and the old key is needed no more`, async () => {
      for (const mark of ["one", "two"]) await sealEverywhere(createVault([old], { binds }), mark);
      const ctx = { db: database.db, vault: createVault([current, old]) };
      const rounds = await Promise.all([resealSecrets(ctx), resealSecrets(ctx)]);
      expect(rounds.map((pass) => pass.resealed).reduce((left, right) => left + right)).toBe(20);
      expect(await resealSecrets(ctx)).toEqual({ resealed: 0, unreadable: 0 });
      expect(await opened(createVault([current]))).toEqual(both);
    });

  test("a secret whose key is gone is counted, left as it is, and keeps nothing else from being sealed again", async () => {
    await sealEverywhere(createVault([old]), "one");
    const { apiKeyId } = await addPartner(database.db);
    const lost = createVault([{ id: "lost", key: randomBytes(32) }]).seal("sec_test_2", secretOfKey(apiKeyId));
    await database.db.update(apiKeys).set({ sealedSecret: lost }).where(eq(apiKeys.id, apiKeyId));
    expect(await resealSecrets({ db: database.db, vault: createVault([current, old]) })).toEqual({ resealed: 10, unreadable: 1 });
    const [key] = await database.db.select().from(apiKeys).where(eq(apiKeys.id, apiKeyId));
    expect(key?.sealedSecret).toBe(lost);
  });
});

describe("the form of sealed secrets", () => {
  test("is brought up to date under one and the same key, and back for a version before that is to run again", async () => {
    const [before, bound] = [createVault([current], { binds: false }), createVault([current])];
    await sealEverywhere(before, "one");
    expect(await resealSecrets({ db: database.db, vault: bound })).toEqual({ resealed: 10, unreadable: 0 });
    expect((await listSealedSecrets(database.db)).every(({ sealed }) => sealed.startsWith("v2.new."))).toBe(true);
    expect(await resealSecrets({ db: database.db, vault: before })).toEqual({ resealed: 10, unreadable: 0 });
    expect((await listSealedSecrets(database.db)).every(({ sealed }) => sealed.startsWith("v1.new."))).toBe(true);
    expect(await opened(bound)).toEqual(PLAIN.map((what) => `one ${what}`));
  });
});

describe("somebody who writes to the database and exchanges two rows' secrets", () => {
  for (const column of SEALED_COLUMNS)
    test(`in ${column} has gained nothing: neither opens, nor is sealed again`, async () => {
      const vault = createVault([current]);
      for (const mark of ["one", "two"]) await sealEverywhere(vault, mark);
      const kept = (secrets: SealedSecret[]) => secrets.filter(({ place }) => place[0] === column);
      const [one, two, ...more] = kept(await listSealedSecrets(database.db));
      expect([one?.sealed === two?.sealed, more]).toEqual([false, []]);
      const [table, name] = column.split(".");
      await database.sql.unsafe(
        `update ${table} set ${name} = case ${name} when '${one?.sealed}' then '${two?.sealed}' else '${one?.sealed}' end where ${name} is not null and ${name} in ('${one?.sealed}', '${two?.sealed}')`,
      );
      for (const { sealed, place } of kept(await listSealedSecrets(database.db))) expect(() => vault.open(sealed, place)).toThrow();
      const rotated = createVault([{ id: "next", key: randomBytes(32) }, current]);
      expect(await resealSecrets({ db: database.db, vault: rotated })).toEqual({ resealed: 18, unreadable: 2 });
    });

  test("puts a person's draft in the secret's place, and it does not open there", async () => {
    const vault = createVault([current]);
    await sealEverywhere(vault, "one");
    await database.sql`update users set sealed_totp_secret = sealed_totp_draft`;
    const [secret] = (await listSealedSecrets(database.db)).filter(({ place }) => place[0] === "users.sealed_totp_secret");
    expect(() => vault.open(secret?.sealed ?? "", secret?.place ?? totpSecretOf(""))).toThrow();
  });

  test("no other column keeps anything sealed", async () => {
    const rows = await database.sql`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like 'sealed\\_%' and column_name <> 'sealed_at'`;
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...SEALED_COLUMNS].toSorted());
  });
});

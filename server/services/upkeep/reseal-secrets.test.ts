import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { users } from "#db/schema/people.ts";
import { createVault } from "#server/adapters/vault.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson } from "#testing/people.ts";
import { resealSecrets } from "./reseal-secrets.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("after a rotation every secret is sealed under the new key, reads as before, and the old key is needed no more", async () => {
  const [old, current] = [
    { id: "old", key: randomBytes(32) },
    { id: "new", key: randomBytes(32) },
  ];
  const before = createVault([old]);
  const { partnerId, apiKeyId } = await addPartner(database.db);
  await database.db
    .update(apiKeys)
    .set({ sealedSecret: before.seal("sec_test_1") })
    .where(eq(apiKeys.id, apiKeyId));
  const secret = { id: randomUUID(), partnerId, sealedSecret: before.seal("whsec_1"), createdAt: new Date() };
  await database.db.insert(callbackSecrets).values(secret);
  const { id } = await addPerson(database.db, "admin", null, {
    sealedTotpSecret: before.seal("totp"),
    sealedTotpDraft: before.seal("draft"),
  });

  await database.db.insert(idempotencyKeys).values({
    ...{ ownerId: partnerId, method: "POST", path: "/", key: "k", bodySha256: "", responseStatus: 201, responseHeaders: "{}" },
    ...{ responseBody: "", sealedBody: before.seal("answer"), createdAt: new Date() },
  });

  const ctx = { db: database.db, vault: createVault([current, old]) };
  const rounds = await Promise.all([resealSecrets(ctx), resealSecrets(ctx)]);
  expect(rounds.map((round) => round.resealed).reduce((left, right) => left + right)).toBe(5);
  expect(await resealSecrets(ctx)).toEqual({ resealed: 0, unreadable: 0 });

  const alone = createVault([current]);
  const [key] = await database.db.select().from(apiKeys).where(eq(apiKeys.id, apiKeyId));
  const [kept] = await database.db.select().from(callbackSecrets);
  const [user] = await database.db.select().from(users).where(eq(users.id, id));
  const [answer] = await database.db.select().from(idempotencyKeys);
  expect(alone.open(answer?.sealedBody ?? "")).toBe("answer");
  expect([alone.open(user?.sealedTotpSecret ?? ""), alone.open(user?.sealedTotpDraft ?? "")]).toEqual(["totp", "draft"]);
  expect([alone.open(key?.sealedSecret ?? ""), alone.open(kept?.sealedSecret ?? "")]).toEqual(["sec_test_1", "whsec_1"]);
});

test("a secret whose key is gone is counted, left as it is, and keeps nothing else from being sealed anew", async () => {
  const lost = createVault([{ id: "lost", key: randomBytes(32) }]);
  const { apiKeyId } = await addPartner(database.db);
  const sealed = lost.seal("sec_test_2");
  await database.db.update(apiKeys).set({ sealedSecret: sealed }).where(eq(apiKeys.id, apiKeyId));
  const ctx = { db: database.db, vault: createVault([{ id: "newest", key: randomBytes(32) }]) };
  expect((await resealSecrets(ctx)).unreadable).toBeGreaterThan(0);
  const [key] = await database.db.select().from(apiKeys).where(eq(apiKeys.id, apiKeyId));
  expect(key?.sealedSecret).toBe(sealed);
});

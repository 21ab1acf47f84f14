import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopedTo } from "#db/client.ts";
import { findProvider } from "#db/queries/identity-providers/providers.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { ProviderSettings } from "#domain/identity-provider.ts";
import { clientSecretOf } from "#domain/sealed-place.ts";
import type { Context } from "#server/context.ts";
import { authenticatePerson } from "#server/services/people/sessions/authenticate-person.ts";
import { authenticateSession, openSession } from "#server/services/people/sessions/sessions.ts";
import { refuseUnlessPasswordServes } from "#server/services/people/sessions/single-sign-on.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson, addProvenPerson, PASSWORD, refusalOf } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { confirmProvider, removeProvider, saveProvider } from "./manage-providers.ts";

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
});
afterAll(() => database.close());

const SETTINGS: ProviderSettings = {
  name: "Ours",
  issuer: "https://id.example.com",
  clientId: "console",
  groupsClaim: "groups",
  roles: [{ group: "readers", role: "viewer" }],
  demandedAcr: null,
  isDuty: false,
  keeperIds: [],
};
const slug = () => `s-${randomUUID().slice(0, 8)}`;
const inForce = async (id: string) => (await findProvider(database.db, { id }))?.settings.clientId ?? null;
const draftedAt = async (id: string) => {
  const [row] = await database.sql<{ at: string }[]>`select drafted_at as at from identity_providers where id = ${id}`;
  return new Date(row?.at ?? "").toISOString();
};

describe("an identity provider", () => {
  it("waits in live mode for a second person with a second factor, and stays as it was until then", async () => {
    const live = { ...ctx, mode: "live" as const };
    const [one, other] = [await addProvenPerson(database.db, "admin"), await addProvenPerson(database.db, "admin")];
    const id = await saveProvider(live, { by: one.by, slug: slug(), settings: SETTINGS, clientSecret: "hush" });
    expect(await inForce(id)).toBeNull();
    const confirm = async (by: typeof one.by) => refusalOf(confirmProvider(live, { by, providerId: id, expected: await draftedAt(id) }));
    expect(await confirm(one.by)).toBe("same_approver");
    expect(await confirm({ ...other.by, proof: { at: new Date(), byCode: false } })).toBe("step_up_required");
    const young = await addPerson(database.db, "admin", null, { sealedTotpSecret: "sealed" });
    expect(await confirm({ ...young.by, proof: { at: new Date(), byCode: true } })).toBe("same_approver");
    expect(await refusalOf(confirmProvider(live, { by: other.by, providerId: id, expected: "another" }))).toBe("not_found");
    expect(await confirm(other.by)).toBeNull();
    await saveProvider(live, { by: one.by, providerId: id, slug: "unused", settings: { ...SETTINGS, clientId: "changed" } });
    expect(await inForce(id)).toBe("console");
    await confirm(other.by);
    const found = await findProvider(database.db, { id });
    expect([found?.settings.clientId, ctx.vault.open(found?.sealedClientSecret ?? "", clientSecretOf(id))]).toEqual(["changed", "hush"]);
  });

  it("takes, in live mode, two people whose devices somebody else has confirmed", async () => {
    const live = { ...ctx, mode: "live" as const };
    const [invented, known] = [
      await addProvenPerson(database.db, "admin", { deviceConfirmedAt: null }),
      await addProvenPerson(database.db, "admin"),
    ];
    for (const [drafter, confirmer] of [
      [known, invented],
      [invented, known],
    ] as const) {
      const id = await saveProvider(live, { by: drafter.by, slug: slug(), settings: SETTINGS });
      const expected = await draftedAt(id);
      expect(await refusalOf(confirmProvider(live, { by: confirmer.by, providerId: id, expected }))).toBe("same_approver");
      expect(await inForce(id)).toBeNull();
    }
  });

  it("is a partner's own: other partners find nothing, and in live mode another owner or an operator's admin confirms it", async () => {
    const live = { ...ctx, mode: "live" as const };
    const old = { createdAt: new Date(Date.now() - 2 * 86_400_000), sealedTotpSecret: "sealed" };
    const [ours, theirs] = [(await addPartner(database.db)).partnerId, (await addPartner(database.db)).partnerId];
    const [owner, stranger] = [await addPerson(database.db, "owner", ours, old), await addPerson(database.db, "owner", theirs, old)];
    const admin = await addProvenPerson(database.db, "admin");
    const roles = [{ group: "all", role: "owner" as const }];
    const proven = <By extends object>(by: By) => ({ ...by, proof: { at: new Date(), byCode: true } });
    const save = (settings: ProviderSettings) => saveProvider(live, { by: owner.by, slug: slug(), settings });
    expect(await refusalOf(save(SETTINGS))).toBe("validation_failed");
    const id = await save({ ...SETTINGS, roles });
    const expected = await draftedAt(id);
    expect(await refusalOf(confirmProvider(live, { by: proven(stranger.by), providerId: id, expected }))).toBe("not_found");
    expect(await refusalOf(removeProvider(live, { by: stranger.by, providerId: id, onlyDraft: false }))).toBe("not_found");
    await confirmProvider(live, { by: admin.by, providerId: id, expected });
    expect(await inForce(id)).toBe("console");
    await removeProvider(live, { by: owner.by, providerId: id, onlyDraft: false });
    expect(await inForce(id)).toBeNull();
  });

  it("is refused where requests must not go", async () => {
    const admin = await addPerson(database.db, "admin");
    const guarded = { ...ctx, callbacks: { ...ctx.callbacks, judge: async () => ({ verdict: "forbidden", reason: "private" }) as const } };
    expect(await refusalOf(saveProvider(guarded, { by: admin.by, slug: slug(), settings: SETTINGS }))).toBe("validation_failed");
  });
});

describe("single sign-on as a duty", () => {
  it("shuts passwords, ends the sessions that they opened, and lets two people in with their passkeys, which alarms", async () => {
    const { partnerId } = await addPartner(database.db);
    const [owner, keeper, worker] = [
      await addPerson(database.db, "owner", partnerId),
      await addPerson(database.db, "owner", partnerId),
      await addPerson(database.db, "staff", partnerId),
    ];
    const signIn = (email: string) =>
      openSession(ctx, { email, password: PASSWORD, otp: null, address: "10.1.1.1", userAgent: null, requestId: null });
    const before = await signIn(worker.email);
    const settings = { ...SETTINGS, roles: [], isDuty: true, keeperIds: [owner.id, keeper.id] };
    const own = { ...ctx, db: scopedTo(database.web, { of: "partner" as const, id: partnerId }) };
    const save = () => saveProvider(own, { by: owner.by, slug: slug(), settings });
    expect(await refusalOf(save())).toBe("validation_failed");
    for (const { id } of [owner, keeper]) {
      const device = { publicKey: "k", signCount: 0, transports: [], aaguid: "a", syncs: false, backedUp: false };
      await database.db
        .insert(passkeys)
        .values({ ...device, id: randomUUID(), userId: id, name: "Key", credentialId: randomUUID(), createdAt: new Date() });
    }
    // One of the two must be able to end the duty.
    await database.sql`update users set role = 'staff' where id in ${database.sql([keeper.id, owner.id])}`;
    const third = await addPerson(database.db, "owner", partnerId);
    expect(await refusalOf(saveProvider(own, { by: third.by, slug: slug(), settings }))).toBe("validation_failed");
    await database.sql`delete from users where id = ${third.id}`;
    await database.sql`update users set role = 'owner' where id in ${database.sql([keeper.id, owner.id])}`;
    const providerId = await save();
    expect(await authenticateSession(ctx, before.secret)).toBeNull();
    expect(await refusalOf(signIn(worker.email))).toBe("single_sign_on_required");
    const credentials = { email: worker.email, password: PASSWORD, otp: null, address: "10.1.1.1", requestId: null };
    expect(await refusalOf(authenticatePerson(ctx, { ...credentials, of: "partner" }))).toBe("single_sign_on_required");
    const [user] = await database.sql`select * from users where id = ${keeper.id}`;
    const record = { ...user, id: keeper.id, name: "A keeper", role: "owner", partnerId } as never;
    const serves = (isPasskey: boolean) =>
      refusalOf(refuseUnlessPasswordServes(ctx, { user: record, isPasskey, address: "10.1.1.1", requestId: null }));
    expect([await serves(false), await serves(true)]).toEqual(["single_sign_on_required", null]);
    const notified = await database.sql`select user_id from notifications where detail like 'Somebody signed in past%'`;
    expect(notified.map((row) => row.user_id).toSorted()).toEqual([owner.id, keeper.id].toSorted());
    await removeProvider(own, { by: owner.by, providerId, onlyDraft: false });
    expect((await signIn(worker.email)).userId).toBe(worker.id);
  });
});

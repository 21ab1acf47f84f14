import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertSession } from "#db/queries/people/sessions.ts";
import type { Context } from "#server/context.ts";
import { setPolicy } from "#server/services/approval-policy/set-policy.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson, addProvenPerson, longProven, refusalOf, type TestPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { enablePerson } from "./manage-people.ts";
import { reportIntrusion } from "./report-intrusion.ts";

/** "This was not me": what the account may do ends at once, until somebody else lets its person back in. */

let database: TestDatabase;
let ctx: Context;
let [ana, ben]: TestPerson[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { ...testContext(database.db), mode: "live" };
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`update users set disabled_at = now() where disabled_at is null`;
  [ana, ben] = [await addProvenPerson(database.db, "admin"), await addProvenPerson(database.db, "admin")];
});
const people = () => {
  if (ana === undefined || ben === undefined) throw new Error("nobody is there");
  return { ana, ben };
};
async function openSessions(person: TestPerson): Promise<void> {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  for (const id of [randomUUID(), randomUUID()])
    await insertSession(database.db, { id, sidHash: id, userId: person.id, createdAt: now, lastSeenAt: now, expiresAt, address: "::1" });
}
const openOnes = async (person: TestPerson) =>
  Number((await database.sql`select count(*)::int as count from sessions where user_id = ${person.id} and revoked_at is null`)[0]?.count);
const isIn = async (person: TestPerson) =>
  (await database.sql`select disabled_at is null as "isIn" from users where id = ${person.id}`)[0]?.isIn;
const report = (person: TestPerson) =>
  reportIntrusion(ctx, { by: { ...person.by, proof: longProven() }, reason: "a sign-in from nowhere" });
const entries = async (person: TestPerson) =>
  await database.sql`select action, reason from audit_entries where object_id = ${person.id} and action like 'user.%abled' order by id`;

test("all sessions end, without a step-up; what the person has proposed no longer counts, and only somebody else lets them back in", async () => {
  const { ana: robbed, ben: colleague } = people();
  await openSessions(robbed);
  const { proposal } = await setPolicy(ctx, { by: robbed.by, rules: [], expectedVersion: 0, reason: "by the thief" });
  await report(robbed);
  expect([await openOnes(robbed), await isIn(robbed)]).toEqual([0, false]);
  expect(await refusalOf(confirmProposal(ctx, { by: colleague.by, id: proposal.id }))).toBe("conflict");
  expect(await refusalOf(enablePerson(ctx, { by: robbed.by, userId: robbed.id }))).toBe("forbidden");
  await enablePerson(ctx, { by: colleague.by, userId: robbed.id });
  expect([await openOnes(robbed), await isIn(robbed)]).toEqual([0, true]);
  expect(await entries(robbed)).toEqual([
    { action: "user.disabled", reason: "a sign-in from nowhere" },
    { action: "user.enabled", reason: null },
  ]);
});

test("two reports at once are one, and a repeat changes nothing", async () => {
  const { ana: robbed } = people();
  await Promise.all([report(robbed), report(robbed), report(robbed)]);
  await report(robbed);
  expect(await entries(robbed)).toHaveLength(1);
});

test("of the last two admins at once one is refused: somebody is left to let the other in", async () => {
  const { ana: one, ben: other } = people();
  const ends = await Promise.all([refusalOf(report(one)), refusalOf(report(other))]);
  expect(ends.toSorted()).toEqual(["conflict", null].toSorted());
  expect([await isIn(one), await isIn(other)].filter(Boolean)).toHaveLength(1);
});

test("a partner's only owner may, because the operator's admins let them in again", async () => {
  const { partnerId } = await addPartner(database.db);
  const owner = await addPerson(database.db, "owner", partnerId);
  await report(owner);
  expect(await isIn(owner)).toBe(false);
  await enablePerson(ctx, { by: people().ana.by, userId: owner.id });
  expect(await isIn(owner)).toBe(true);
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "#server/context.ts";
import { acceptInvitation } from "#server/services/people/invitations/invitations.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { listProposals } from "#server/services/proposal-decisions/kinds.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPerson, addProvenPerson, refusalOf, type TestPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { createFirstAdmin, createOperator } from "./create-operator.ts";
import { invitePerson } from "./invitations/invite-person.ts";
import { changeRole } from "./manage-people.ts";

/** In live mode nobody alone creates a user who decides on other people's money: it could be themselves under another name. */

const PASSWORD = "quartz-lantern-58-mole";
let database: TestDatabase;
let live: Context;
let [ana, ben]: TestPerson[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  live = { ...testContext(database.db), mode: "live" };
});
afterAll(() => database.close());

async function two(): Promise<[TestPerson, TestPerson]> {
  ana ??= await addProvenPerson(database.db, "admin");
  ben ??= await addProvenPerson(database.db, "admin");
  return [ana, ben];
}
const email = () => `${randomUUID()}@example.com`;
const roleOf = async (address: string) => (await database.sql`select role from users where email = ${address}`)[0]?.role ?? null;

test("the first two admins are made on the machine, and no third; they sign in with a password that is told once", async () => {
  const made = [];
  for (const name of ["Ada", "Bea"]) made.push(await createFirstAdmin(live, { email: email(), name }));
  for (const { email: address, password } of made) {
    expect(await roleOf(address)).toBe("admin");
    expect(password.length).toBeGreaterThanOrEqual(20);
  }
  expect(await refusalOf(createFirstAdmin(live, { email: email(), name: "Cas" }))).toBe("conflict");
  await database.sql`update users set disabled_at = now()`;
  const both = await Promise.all([1, 2, 3].map(() => refusalOf(createFirstAdmin(live, { email: email(), name: "Cas" }))));
  expect(both.filter((code) => code === null)).toHaveLength(2);
  await database.sql`update users set disabled_at = now()`;
});

test("an account that decides is there once a second person has confirmed it; its password is in no list and no log", async () => {
  const [first, second] = await two();
  for (const role of ["admin", "approver"] as const) {
    const address = email();
    const { proposalId } = await createOperator(live, { by: first.by, email: address, name: "New", password: PASSWORD, role });
    expect(await roleOf(address)).toBeNull();
    expect(await refusalOf(confirmProposal(live, { by: first.by, id: proposalId ?? "" }))).toBe("same_approver");
    await confirmProposal(live, { by: second.by, id: proposalId ?? "" });
    expect(await roleOf(address)).toBe(role);
  }
  const shown = JSON.stringify([await listProposals(live), await database.sql`select change from audit_entries`]);
  expect(shown).not.toMatch(/argon2|password_hash|token_hash/);
});

test("who only looks on is made by one, and in the sandbox so is everybody", async () => {
  const [first] = await two();
  const viewer = await createOperator(live, { by: first.by, email: email(), name: "Looker", password: PASSWORD, role: "viewer" });
  expect([viewer.proposalId, await roleOf(viewer.email ?? "")]).toEqual([null, "viewer"]);
  const sandbox: Context = { ...live, mode: "sandbox" };
  const admin = await createOperator(sandbox, { by: first.by, email: email(), name: "New", password: PASSWORD, role: "admin" });
  expect([admin.proposalId, await roleOf(admin.email ?? "")]).toEqual([null, "admin"]);
});

test("the link of an invitation to decide leads nowhere before a second person has confirmed it", async () => {
  const [first, second] = await two();
  const address = email();
  const { token, proposalId } = await invitePerson(live, { by: first.by, email: address, role: "admin", partnerId: null });
  const accept = () => acceptInvitation(live, { token, name: "New", password: PASSWORD, requestId: null });
  expect(await refusalOf(accept())).toBe("not_found");
  await confirmProposal(live, { by: second.by, id: proposalId ?? "" });
  await accept();
  expect(await roleOf(address)).toBe("admin");
  const looker = await invitePerson(live, { by: first.by, email: email(), role: "viewer", partnerId: null });
  expect(looker.proposalId).toBeNull();
});

test("a role that decides more is had once a second person has confirmed it; one that decides less at once", async () => {
  const [first, second] = await two();
  const person = await addPerson(database.db, "viewer");
  const id = await changeRole(live, { by: first.by, userId: person.id, role: "approver" });
  expect(await roleOf(person.email)).toBe("viewer");
  await confirmProposal(live, { by: second.by, id: id ?? "" });
  expect(await roleOf(person.email)).toBe("approver");
  expect(await changeRole(live, { by: first.by, userId: person.id, role: "admin" })).toMatch(/^pr_/);
  expect(await changeRole(live, { by: first.by, userId: person.id, role: "viewer" })).toBeNull();
  expect(await roleOf(person.email)).toBe("viewer");
});

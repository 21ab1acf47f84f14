import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "#server/context.ts";
import { mailInvitation, printInvitationLink } from "#server/services/people/invitations/hand-over-invitation.ts";
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
const OWN_PASSWORD = "copper-thistle-31-wren";
const PLACE = { baseUrl: "https://api.example.com", brand: "Service" };
const mails: { to: string; text: string }[] = [];
const answers: { outcome: "unreachable"; trouble: string }[] = [];
const mailer: Context["mailer"] = {
  available: true,
  async send({ to, text }) {
    mails.push({ to, text });
    return answers.shift() ?? { outcome: "sent" };
  },
};
let database: TestDatabase;
let live: Context;
let [ana, ben]: TestPerson[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  live = { ...testContext(database.db), mode: "live", mailer };
});
afterAll(() => database.close());

async function two(): Promise<[TestPerson, TestPerson]> {
  ana ??= await addProvenPerson(database.db, "admin");
  ben ??= await addProvenPerson(database.db, "admin");
  return [ana, ben];
}
/** The link in the one mail that is due now. */
async function mailTo(address: string): Promise<string> {
  expect(await mailInvitation(live, PLACE)).toBe(true);
  const [mail, ...more] = mails.splice(0);
  expect([mail?.to, more]).toEqual([address, []]);
  return /https:\/\/api\.example\.com\/console\/invitation\/inv_\S+/.exec(mail?.text ?? "")?.[0] ?? "";
}
const follow = (link: string) =>
  acceptInvitation(live, { token: link.split("/").at(-1) ?? "", name: "New", password: OWN_PASSWORD, requestId: null });
const email = () => `${randomUUID()}@example.com`;
const roleOf = async (address: string) => (await database.sql`select role from users where email = ${address}`)[0]?.role ?? null;

test("the first two admins are made on the machine, and no third; they sign in with a password that is shown once", async () => {
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

test("an account that decides is there once a second person has confirmed it and its own person has followed the mail", async () => {
  const [first, second] = await two();
  for (const role of ["admin", "approver"] as const) {
    const address = email();
    const { proposalId } = await createOperator(live, { by: first.by, email: address, name: "New", password: PASSWORD, role });
    expect(await roleOf(address)).toBeNull();
    expect(await refusalOf(confirmProposal(live, { by: first.by, id: proposalId ?? "" }))).toBe("same_approver");
    await confirmProposal(live, { by: second.by, id: proposalId ?? "" });
    expect(await roleOf(address)).toBeNull();
    await follow(await mailTo(address));
    expect(await roleOf(address)).toBe(role);
    const [user] = await database.sql`select password_hash from users where email = ${address}`;
    expect(await live.passwords.verify(user?.password_hash, OWN_PASSWORD)).toBe(true);
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

test("neither who proposes a person who decides nor who confirms gets the link: it goes to the address alone", async () => {
  const [first, second] = await two();
  const address = email();
  const { token, proposalId } = await invitePerson(live, { by: first.by, email: address, role: "admin", partnerId: null });
  expect([token, await mailInvitation(live, PLACE), mails.length]).toEqual([null, false, 0]);
  const confirmed = await confirmProposal(live, { by: second.by, id: proposalId ?? "" });
  const link = await mailTo(address);
  expect(JSON.stringify([confirmed, await database.sql`select body from proposals`])).not.toContain(link);
  await follow(link);
  expect(await roleOf(address)).toBe("admin");
  expect(await refusalOf(follow(link))).toBe("not_found");
  const looker = await invitePerson(live, { by: first.by, email: email(), role: "viewer", partnerId: null });
  expect([looker.proposalId, looker.token]).toEqual([null, expect.stringMatching(/^inv_/)]);
});

test("a mail that did not go out is tried again with another link, and the newest link is the one that works", async () => {
  const [first, second] = await two();
  const address = email();
  const { proposalId } = await invitePerson(live, { by: first.by, email: address, role: "approver", partnerId: null });
  await confirmProposal(live, { by: second.by, id: proposalId ?? "" });
  answers.push({ outcome: "unreachable", trouble: "away" });
  const lost = await mailTo(address);
  expect(await mailInvitation(live, PLACE)).toBe(false);
  await database.sql`update invitations set mail_due_at = now() where email = ${address}`;
  const [link, none] = [await mailTo(address), await mailInvitation(live, PLACE)];
  expect([none, await refusalOf(follow(lost))]).toEqual([false, "not_found"]);
  await follow(link);
  expect(await roleOf(address)).toBe("approver");
});

test("without mail the machine prints the link, once the invitation is confirmed; two workers mail one link", async () => {
  const [first, second] = await two();
  const address = email();
  const { proposalId } = await invitePerson(live, { by: first.by, email: address, role: "admin", partnerId: null });
  expect(await refusalOf(printInvitationLink(live, { ...PLACE, email: address }))).toBe("not_found");
  await confirmProposal(live, { by: second.by, id: proposalId ?? "" });
  const both = await Promise.all([mailInvitation(live, PLACE), mailInvitation(live, PLACE)]);
  expect([both.toSorted(), mails.splice(0).length]).toEqual([[false, true], 1]);
  const { link } = await printInvitationLink(live, { ...PLACE, email: address.toUpperCase() });
  await follow(link);
  expect(await roleOf(address)).toBe("admin");
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

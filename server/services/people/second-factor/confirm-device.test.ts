import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertPasskey } from "#db/queries/people/passkeys.ts";
import { insertSession, readPlace } from "#db/queries/people/sessions.ts";
import type { OperatorRole } from "#domain/access.ts";
import type { Context } from "#server/context.ts";
import { setPolicy } from "#server/services/approval-policy/set-policy.ts";
import { mailInvitation } from "#server/services/people/invitations/hand-over-invitation.ts";
import { acceptInvitation } from "#server/services/people/invitations/invitations.ts";
import { invitePerson } from "#server/services/people/invitations/invite-person.ts";
import { changeRole } from "#server/services/people/manage-people.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addProvenPerson, refusalOf, type TestPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { confirmDevices, confirmDevicesOnMachine, readDevicesOf } from "./confirm-device.ts";
import { resetFactors } from "./totp.ts";

/** In live mode a person decides once somebody else, who did not propose them, has confirmed that the device is theirs. */

let database: TestDatabase;
let live: Context;
const mails: string[] = [];
let [ana, ben, cas]: TestPerson[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const mailer: Context["mailer"] = {
    available: true,
    async send({ text }) {
      mails.push(text);
      return { outcome: "sent" };
    },
  };
  live = { ...testContext(database.db), mode: "live", mailer };
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`update users set disabled_at = now() where disabled_at is null`;
  [ana, ben, cas] = await Promise.all([1, 2, 3].map(() => addProvenPerson(database.db, "admin")));
});
const admins = () => {
  if (ana === undefined || ben === undefined || cas === undefined) throw new Error("nobody is there");
  return { ana, ben, cas };
};
const unconfirmed = (role: OperatorRole) => addProvenPerson(database.db, role, { deviceConfirmedAt: null, sealedTotpSecret: null });
const isConfirmed = async ({ id }: TestPerson) =>
  (await database.sql`select device_confirmed_at from users where id = ${id}`)[0]?.device_confirmed_at !== null;
const confirm = async (by: TestPerson, person: TestPerson) =>
  await refusalOf(confirmDevices(live, { by: by.by, userId: person.id, seen: (await readDevicesOf(live, person.id)).seen }));

/** As `addPasskey` leaves it. */
async function addDevice({ id: userId, by }: TestPerson, name: string): Promise<void> {
  const [id, at] = [randomUUID(), new Date()];
  const session = { id: randomUUID(), sidHash: id, userId, createdAt: at, lastSeenAt: at, expiresAt: at };
  await insertSession(database.db, { ...session, address: "203.0.113.7", userAgent: "Firefox" });
  const key = { credentialId: id, publicKey: "none", signCount: 0, transports: [], aaguid: "", syncs: false, backedUp: false };
  await insertPasskey(database.db, { ...key, id, userId, name, createdAt: at });
  const change = { passkey_id: id, name, ...(await readPlace(database.db, session.id)) };
  await insertAuditEntry(database.db, { by, partnerId: null, action: "user.passkey_added", objectId: userId, change });
}

/** Proposed by one admin and confirmed by another, who has followed the mailed link and added a device. */
async function invite(by: TestPerson, confirmer: TestPerson, role: OperatorRole): Promise<TestPerson> {
  const email = `${randomUUID()}@example.com`;
  const { proposalId } = await invitePerson(live, { by: by.by, email, role, partnerId: null });
  await confirmProposal(live, { by: confirmer.by, id: proposalId ?? "" });
  await mailInvitation(live, { baseUrl: "https://api.example.com", brand: "Service" });
  const token = /inv_[\w-]+/.exec(mails.pop() ?? "")?.[0] ?? "";
  await acceptInvitation(live, { token, name: "New", password: "copper-thistle-31-wren", requestId: null });
  const made = await database.sql<
    { id: string }[]
  >`update users set created_at = now() - interval '2 days' where email = ${email} returning id`;
  const id = made[0]?.id ?? "";
  const proof = { at: new Date(), byCode: true };
  const person: TestPerson = { id, email, by: { actor: { type: "user", userId: id, role, partnerId: null }, requestId: null, proof } };
  await addDevice(person, "Ben's phone");
  return person;
}
async function proposalBy(person: TestPerson): Promise<string> {
  const version = (await database.sql<{ version: number }[]>`select coalesce(max(version), 0)::int as version from approval_policies`)[0];
  await database.sql`update proposals set outcome = 'withdrawn', decided_at = now(), decider_type = 'user', decider_id = ${person.id}, decider_name = 'x'
    where outcome = 'open'`;
  const { proposal } = await setPolicy(live, { by: person.by, rules: [], expectedVersion: version?.version ?? 0, reason: "a rehearsal" });
  return proposal.id;
}

test("the person who was invited counts from the confirmation on, which neither the proposer nor the person can give", async () => {
  const { ana: proposer, ben: second, cas: third } = admins();
  const invited = await invite(proposer, second, "admin");
  expect(await refusalOf(confirmProposal(live, { by: invited.by, id: await proposalBy(third) }))).toBe("same_approver");
  expect(await refusalOf(confirmProposal(live, { by: third.by, id: await proposalBy(invited) }))).toBe("same_approver");
  expect(await confirm(proposer, invited)).toBe("same_person");
  expect(await confirm(invited, invited)).toBe("forbidden");
  expect(await isConfirmed(invited)).toBe(false);
  expect(await readDevicesOf(live, invited.id)).toMatchObject({
    devices: [{ name: "Ben's phone", address: "203.0.113.7", userAgent: "Firefox", addedAt: expect.any(Date) }],
    confirmedAt: null,
  });
  expect(await confirm(second, invited)).toBeNull();
  expect(await confirm(second, invited)).toBeNull();
  await confirmProposal(live, { by: invited.by, id: await proposalBy(third) });
  const entries =
    await database.sql`select actor_id, change from audit_entries where object_id = ${invited.id} and action = 'user.device_confirmed'`;
  expect(entries).toEqual([{ actor_id: second.id, change: { email: invited.email, devices: ["Ben's phone"] } }]);
});

test("one whose own device is not confirmed confirms no one else's, so two invented people do not confirm each other", async () => {
  const { ana: proposer, ben: second } = admins();
  const [one, other] = [await invite(proposer, second, "admin"), await invite(proposer, second, "admin")];
  expect([await confirm(one, other), await confirm(other, one)]).toEqual(["same_approver", "same_approver"]);
});

test("a device that was added after the list was read is not confirmed with it", async () => {
  const person = await unconfirmed("approver");
  expect(await confirm(admins().ben, person)).toBe("invalid_state");
  await addDevice(person, "A phone");
  const { seen } = await readDevicesOf(live, person.id);
  await addDevice(person, "Another phone");
  expect(await refusalOf(confirmDevices(live, { by: admins().ben.by, userId: person.id, seen }))).toBe("conflict");
  expect(await isConfirmed(person)).toBe(false);
});

test("the person who resets the factors cannot confirm the next ones, and a role that decides is confirmed again by somebody else", async () => {
  const { ana: one, ben: other, cas: third } = admins();
  const person = await addProvenPerson(database.db, "approver");
  await resetFactors(live, { by: one.by, userId: person.id });
  await addDevice(person, "New phone");
  expect([await isConfirmed(person), await confirm(one, person), await confirm(other, person)]).toEqual([false, "same_person", null]);
  await changeRole(live, { by: one.by, userId: person.id, role: "viewer" });
  const proposalId = await changeRole(live, { by: third.by, userId: person.id, role: "approver" });
  await confirmProposal(live, { by: one.by, id: proposalId ?? "" });
  expect([await isConfirmed(person), await confirm(third, person), await confirm(other, person)]).toEqual([false, "same_person", null]);
});

test("the machine confirms the first admin; in the sandbox nothing is asked", async () => {
  const first = await unconfirmed("admin");
  expect(await refusalOf(confirmDevicesOnMachine(live, first.email))).toBe("invalid_state");
  await addDevice(first, "YubiKey");
  expect(await confirmDevicesOnMachine(live, first.email)).toEqual({ email: first.email, devices: ["YubiKey"] });
  expect(await confirmDevicesOnMachine(live, first.email)).toEqual({ email: first.email, devices: [] });
  const fresh = await unconfirmed("admin");
  const id = await proposalBy(admins().ana);
  await confirmProposal({ ...live, mode: "sandbox" }, { by: fresh.by, id });
});

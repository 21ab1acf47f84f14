import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SYSTEM } from "#domain/access.ts";
import { type Context, inTenant } from "#server/context.ts";
import { sendingDuty } from "#server/engines/notifications/duties.ts";
import { createApiKey } from "#server/services/access/create-api-key.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { changePassword } from "#server/services/people/change-self.ts";
import { changeRole, endSessionsOf } from "#server/services/people/manage-people.ts";
import { openSession } from "#server/services/people/sessions/sessions.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson, PASSWORD, refusalOf, type TestPerson } from "#testing/people.ts";
import { issueKey, testContext } from "#testing/surface.ts";
import { findFacts } from "./find-facts.ts";
import { planMessages } from "./plan-messages.ts";
import { listNotifications } from "./read-notifications.ts";
import { readWishes, setRule } from "./set-wishes.ts";

/** Who gets a notice of a change to accounts and keys: it may not have been them. */

const OPERATOR = { baseUrl: "https://console.example", brand: "Service" };
let database: TestDatabase;
let ctx: Context;
let ours: string;
const mails: { to: string; subject: string; text: string }[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const mailer: Context["mailer"] = {
    available: true,
    async send(mail) {
      mails.push(mail);
      return { outcome: "sent" };
    },
  };
  ctx = { ...testContext(database.db), mailer };
  ours = (await addPartner(database.db)).partnerId;
});
afterAll(() => database.close());
beforeEach(() => {
  mails.length = 0;
});

const bellOf = async ({ by }: TestPerson) => (await listNotifications(ctx, by.actor)).map(({ text }) => text);
async function send(): Promise<void> {
  await planMessages(ctx);
  const duty = sendingDuty(ctx, OPERATOR, "mail");
  await duty.run(new AbortController().signal);
  await duty.drain?.();
}

test("a changed password reaches its person by bell and mail, and by nothing that acts without a sign-in", async () => {
  const [person, other] = [await addPerson(database.db, "viewer"), await addPerson(database.db, "viewer")];
  const sessionId = crypto.randomUUID();
  await changePassword(ctx, {
    by: person.by,
    sessionId,
    address: "10.1.1.1",
    currentPassword: PASSWORD,
    newPassword: "walnut-harbour-77-finch",
  });
  expect([await bellOf(person), await bellOf(other)]).toEqual([["Your password was changed"], []]);
  await send();
  expect(mails).toMatchObject([{ to: person.email, subject: "Service: Your password was changed" }]);
  expect(mails[0]?.text).toContain("If this was not you");
  expect(mails[0]?.text.match(/https:\S+/g)).toEqual([
    "https://console.example/console/account",
    "https://console.example/console/notifications",
  ]);
});

test("a person hears what an admin does to their account", async () => {
  const [admin, person] = [await addPerson(database.db, "admin"), await addPerson(database.db, "viewer")];
  await changeRole(ctx, { by: admin.by, userId: person.id, role: "approver" });
  await endSessionsOf(ctx, { by: admin.by, userId: person.id });
  const approver = { ...person, by: { ...person.by, actor: { ...person.by.actor, role: "approver" as const } } };
  expect((await bellOf(approver)).toSorted()).toEqual(["All your sessions were ended", "Your role was changed"]);
});

test("a partner's keys are reported to its owners alone, no matter who makes them, in the partner's own transaction too", async () => {
  const [owner, staff, admin] = [
    await addPerson(database.db, "owner", ours),
    await addPerson(database.db, "staff", ours),
    await addPerson(database.db, "admin"),
  ];
  const stranger = await addPerson(database.db, "owner", (await addPartner(database.db)).partnerId);
  const made = await createApiKey(ctx, { by: admin.by, mode: "test", partnerId: ours, name: "Till 7" });
  const own = { ...ctx, db: inTenant(ctx, { of: "partner", id: ours }).db };
  await revokeApiKey(own, { by: owner.by, id: made.id, partnerId: ours });
  const last = made.lastFour;
  expect(await bellOf(owner)).toEqual([`An API key was revoked: …${last}`, `An API key was made: Till 7, …${last}`]);
  expect([await bellOf(staff), await bellOf(stranger), await bellOf(admin)]).toEqual([[], [], []]);
  await createApiKey(ctx, { by: admin.by, mode: "test", partnerId: null, name: "Robot" });
  expect(await bellOf(admin)).toEqual([expect.stringMatching(/^An API key was made: Robot, …/)]);
  await issueKey(ctx, { partnerId: ours, by: SYSTEM });
  expect(await bellOf(owner)).toHaveLength(2);
});

test("a week before a key expires its keepers are notified, once", async () => {
  const partnerId = (await addPartner(database.db)).partnerId;
  const [owner, staff] = [await addPerson(database.db, "owner", partnerId), await addPerson(database.db, "staff", partnerId)];
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const soon = await issueKey(ctx, { partnerId, name: "Soon", expiresAt: inDays(6) });
  for (const expiresAt of [inDays(8), null]) await issueKey(ctx, { partnerId, expiresAt });
  await Promise.all([findFacts(ctx), findFacts(ctx)]);
  await findFacts(ctx);
  const day = inDays(6).toISOString().slice(0, 10);
  expect(await bellOf(owner)).toEqual([`An API key expires on ${day}: Soon, …${soon.lastFour}`]);
  expect(await bellOf(staff)).toEqual([]);
});

test("nobody turns it off", async () => {
  const owner = await addPerson(database.db, "owner", ours);
  const none = { console: false, mail: false, webhook: false };
  for (const kind of ["new_place", "account_changed", "key_changed"] as const)
    expect(await refusalOf(setRule(ctx, { by: owner.by, kind, rule: none }))).toBe("forbidden");
  const { rules } = await readWishes(ctx, { userId: owner.id, role: "owner" });
  expect(rules.map(({ kind }) => kind)).toEqual(["callback_gave_up", "destination_paused"]);
  await database.sql`insert into notification_rules (user_id, kind, console, mail, webhook, since)
    values (${owner.id}, 'key_changed', false, false, false, now())`;
  await createApiKey(ctx, { by: owner.by, mode: "test", partnerId: ours, name: "Quiet" });
  await send();
  expect(mails.map(({ to }) => to)).toContain(owner.email);
});

test("a sign-in from a new place sends a mail and rings the bell, also for a person who turned it off when that was possible", async () => {
  const owner = await addPerson(database.db, "owner", ours);
  await database.sql`insert into notification_rules (user_id, kind, console, mail, webhook, since)
    values (${owner.id}, 'new_place', false, false, false, now())`;
  for (const address of ["192.0.2.1", "198.51.100.7"])
    await openSession(ctx, { email: owner.email, password: PASSWORD, otp: null, address, userAgent: null, requestId: null });
  await send();
  expect(await bellOf(owner)).toEqual(["Someone signed in to your account from a new place: 198.51.100.7"]);
  expect(mails.filter(({ to }) => to === owner.email).map(({ text }) => text)).toEqual([expect.stringContaining("198.51.100.7")]);
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UserRole } from "#domain/access.ts";
import type { Context } from "#server/context.ts";
import { acceptInvitation, readInvitation, withdrawInvitation } from "#server/services/people/invitations/invitations.ts";
import { resetFactors } from "#server/services/people/second-factor/totp.ts";
import { leaveView, viewAsPartner } from "#server/services/people/sessions/partner-view.ts";
import { authenticateSession, openSession } from "#server/services/people/sessions/sessions.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson, PASSWORD, refusalOf } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { type InvitePerson, invitePerson } from "./invitations/invite-person.ts";
import { changeRole, disablePerson, enablePerson, endSessionsOf } from "./manage-people.ts";
import { listPeople } from "./read-people.ts";

let database: TestDatabase;
let ctx: Context;
let [ours, theirs] = ["", ""];
/** Real time, set by the test. */
let offsetMs = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { ...testContext(database.db), clock: { now: () => new Date(Date.now() + offsetMs) } };
  ours = (await addPartner(database.db)).partnerId;
  theirs = (await addPartner(database.db)).partnerId;
});
afterAll(() => database.close());

const person = (role: UserRole, partnerId: string | null = null) => addPerson(database.db, role, partnerId);
const signIn = (email: string, password = PASSWORD) =>
  openSession(ctx, { email, password, otp: null, address: "10.1.1.1", userAgent: null, requestId: null });
const unique = () => `${crypto.randomUUID()}@example.com`;

/** In the sandbox the inviter gets the link. */
async function invited(command: InvitePerson) {
  const { token, ...invitation } = await invitePerson(ctx, command);
  if (token === null) throw new Error("there is no link");
  return { ...invitation, token };
}

describe("changing people", () => {
  it("is for admins, over everybody, and for owners, over their own partner's people; nobody changes themselves", async () => {
    const [admin, approver, owner, staff, stranger] = [
      await person("admin"),
      await person("approver"),
      await person("owner", ours),
      await person("staff", ours),
      await person("staff", theirs),
    ];
    await changeRole(ctx, { by: admin.by, userId: approver.id, role: "viewer" });
    await changeRole(ctx, { by: admin.by, userId: staff.id, role: "owner" });
    await changeRole(ctx, { by: owner.by, userId: staff.id, role: "staff" });
    const refusals = [
      [() => changeRole(ctx, { by: approver.by, userId: staff.id, role: "owner" }), "forbidden"],
      [() => changeRole(ctx, { by: staff.by, userId: owner.id, role: "staff" }), "forbidden"],
      [() => changeRole(ctx, { by: owner.by, userId: stranger.id, role: "owner" }), "not_found"],
      [() => changeRole(ctx, { by: owner.by, userId: admin.id, role: "staff" }), "not_found"],
      [() => changeRole(ctx, { by: owner.by, userId: staff.id, role: "admin" }), "validation_failed"],
      [() => changeRole(ctx, { by: admin.by, userId: approver.id, role: "owner" }), "validation_failed"],
      [() => changeRole(ctx, { by: admin.by, userId: admin.id, role: "viewer" }), "forbidden"],
      [() => disablePerson(ctx, { by: admin.by, userId: admin.id }), "forbidden"],
      [() => disablePerson(ctx, { by: owner.by, userId: stranger.id }), "not_found"],
      [() => endSessionsOf(ctx, { by: owner.by, userId: stranger.id }), "not_found"],
      [() => resetFactors(ctx, { by: owner.by, userId: stranger.id }), "not_found"],
      [() => disablePerson(ctx, { by: admin.by, userId: "no uuid" }), "not_found"],
    ] as const;
    for (const [work, code] of refusals) expect(await refusalOf(work())).toBe(code);
  });

  it("are signed out everywhere by who manages them, and may sign in again", async () => {
    const admin = await addPerson(database.db, "admin");
    const other = await addPerson(database.db, "viewer");
    const { secret } = await signIn(other.email);
    await endSessionsOf(ctx, { by: admin.by, userId: other.id });
    expect(await authenticateSession(ctx, secret)).toBeNull();
    expect(await authenticateSession(ctx, (await signIn(other.email)).secret)).toMatchObject({ userId: other.id });
  });

  it("leaves one of two admins who demote each other at the same moment, every time", async () => {
    for (let pass = 0; pass < 10; pass += 1) {
      await database.sql`update users set disabled_at = now() where role = 'admin'`;
      const [left, right] = [await person("admin"), await person("admin")];
      const both = await Promise.all([
        refusalOf(changeRole(ctx, { by: left.by, userId: right.id, role: "viewer" })),
        refusalOf(disablePerson(ctx, { by: right.by, userId: left.id })),
      ]);
      expect([...both].sort()).toEqual(["forbidden", null].sort());
      const [row] = await database.sql`select count(*)::int as left from users where role = 'admin' and disabled_at is null`;
      expect(row?.left).toBe(1);
    }
  });

  it("ends sessions at once when it shuts somebody out, and brings none back", async () => {
    const [owner, staff] = [await person("owner", ours), await person("staff", ours)];
    const { secret } = await signIn(staff.email);
    await disablePerson(ctx, { by: owner.by, userId: staff.id });
    expect(await authenticateSession(ctx, secret)).toBeNull();
    expect(await refusalOf(signIn(staff.email))).toBe("invalid_credentials");
    await enablePerson(ctx, { by: owner.by, userId: staff.id });
    expect(await authenticateSession(ctx, secret)).toBeNull();
    await signIn(staff.email);
  });
});

describe("an invitation", () => {
  it("makes a user of the invited role once, also of two that follow it at once, and its link is stored hashed", async () => {
    const admin = await person("admin");
    const email = unique().toUpperCase();
    const { token } = await invited({ by: admin.by, email, role: "owner", partnerId: ours });
    expect(await readInvitation(ctx, token)).toMatchObject({ email: email.toLowerCase(), role: "owner", partnerId: ours });
    const weak = acceptInvitation(ctx, { token, name: "New", password: "password1234", requestId: null });
    expect(await refusalOf(weak)).toBe("validation_failed");
    const accept = () => acceptInvitation(ctx, { token, name: "New", password: PASSWORD, requestId: null });
    const race = await Promise.all([refusalOf(accept()), refusalOf(accept()), refusalOf(accept())]);
    expect(race.filter((code) => code === null)).toHaveLength(1);
    expect(race.filter((code) => code === "not_found")).toHaveLength(2);
    expect(await authenticateSession(ctx, (await signIn(email)).secret)).toMatchObject({ role: "owner", partnerId: ours, name: "New" });
    const dump = await database.sql`select string_agg(row_to_json(i)::text, '') as rows from invitations i`;
    expect(dump[0]?.rows).not.toContain(token);
  });

  it("ends after three days, when it is withdrawn, when another takes its place, and when who invited loses the right to", async () => {
    const [admin, second] = [await person("admin"), await person("admin")];
    const invite = (email: string, by = admin.by) => invited({ by, email, role: "viewer", partnerId: null });
    const email = unique();
    const [first, renewed] = [await invite(email), await invite(email)];
    expect(await refusalOf(readInvitation(ctx, first.token))).toBe("not_found");
    offsetMs = 72 * 3_600_000 - 60_000;
    await readInvitation(ctx, renewed.token);
    offsetMs += 61_000;
    expect(await refusalOf(acceptInvitation(ctx, { token: renewed.token, name: "Late", password: PASSWORD, requestId: null }))).toBe(
      "not_found",
    );
    offsetMs = 0;
    await withdrawInvitation(ctx, { by: admin.by, invitationId: renewed.id });
    expect(await refusalOf(readInvitation(ctx, renewed.token))).toBe("not_found");
    expect(await refusalOf(withdrawInvitation(ctx, { by: admin.by, invitationId: renewed.id }))).toBe("not_found");
    const rogue = await invite(unique(), second.by);
    await disablePerson(ctx, { by: admin.by, userId: second.id });
    expect(await refusalOf(readInvitation(ctx, rogue.token))).toBe("not_found");
  });

  it("of an owner leads to its own partner alone, and reveals nothing about people elsewhere", async () => {
    const [owner, other, staff] = [await person("owner", ours), await person("owner", theirs), await person("staff", ours)];
    const invite = (email: string, partnerId: string | null, role: UserRole = "staff") =>
      refusalOf(invitePerson(ctx, { by: owner.by, email, role, partnerId }));
    expect(await invite(unique(), theirs)).toBe("not_found");
    expect(await invite(unique(), null, "admin")).toBe("not_found");
    expect(await invite(unique(), ours, "admin")).toBe("validation_failed");
    expect(await invite(staff.email, ours)).toBe("conflict");
    const { token, id } = await invited({ by: owner.by, email: other.email, role: "staff", partnerId: ours });
    expect(await refusalOf(withdrawInvitation(ctx, { by: other.by, invitationId: id }))).toBe("not_found");
    expect(await refusalOf(acceptInvitation(ctx, { token, name: "Thief", password: "otter-quay-vellum-17", requestId: null }))).toBe(
      "conflict",
    );
    await signIn(other.email);
    const seen = await listPeople(ctx, { of: { partnerId: ours }, text: null });
    expect(new Set(seen.people.map(({ partnerId }) => partnerId))).toEqual(new Set([ours]));
    expect(new Set(seen.invitations.map(({ partnerId }) => partnerId))).toEqual(new Set([ours]));
  });
});

describe("people in a list", () => {
  it("are found by a part of name or address, with wildcards taken as what they are, and show when they were last here", async () => {
    const found = await addPerson(database.db, "viewer", null, { name: "Zoë 100%_sure" });
    await signIn(found.email);
    const { people, more } = await listPeople(ctx, { of: "operator", text: "100%_S" });
    expect(people).toMatchObject([{ id: found.id, hasTotp: false, lastActiveAt: expect.any(Date) }]);
    expect(more).toBe(false);
    expect((await listPeople(ctx, { of: "partners", text: "100%_S" })).people).toEqual([]);
  });
});

describe("the view as a partner", () => {
  it("makes the session a partner's staff's until it is left, and the partner's audit log has it", async () => {
    const viewer = await person("viewer");
    const { secret } = await signIn(viewer.email);
    const sessionId = (await authenticateSession(ctx, secret))?.sessionId ?? "";
    expect(await refusalOf(viewAsPartner(ctx, { by: viewer.by, sessionId, partnerId: crypto.randomUUID() }))).toBe("not_found");
    const staff = await person("staff", ours);
    expect(await refusalOf(viewAsPartner(ctx, { by: staff.by, sessionId, partnerId: theirs }))).toBe("forbidden");
    await viewAsPartner(ctx, { by: viewer.by, sessionId, partnerId: ours });
    expect(await authenticateSession(ctx, secret)).toMatchObject({ role: "staff", partnerId: ours, viewedBy: "viewer" });
    await leaveView(ctx, { by: viewer.by, sessionId, partnerId: ours });
    await leaveView(ctx, { by: viewer.by, sessionId, partnerId: ours });
    expect(await authenticateSession(ctx, secret)).toMatchObject({ role: "viewer", partnerId: null, viewedBy: null });
    const rows = await database.sql`select action from audit_entries where partner_id = ${ours} and actor_id = ${viewer.id} order by id`;
    expect(rows.map(({ action }) => action)).toEqual(["user.view_begun", "user.view_left"]);
  });
});

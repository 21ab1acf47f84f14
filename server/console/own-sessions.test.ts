import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Context } from "#server/context.ts";
import { type CookieReader, consoleParts, consoleRequest, sessionOf } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson, PASSWORD } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { handleTrpc } from "./handle.ts";

/** In the roles of a running web process, whose database keeps a person's sessions and factors to the person. */

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.web);
});
afterAll(() => database.close());

async function call(procedure: string, cookie: CookieReader, input?: object) {
  const sent = input === undefined ? {} : { method: "POST", body: JSON.stringify(input), headers: { "content-type": "application/json" } };
  const answer = await handleTrpc(consoleParts(ctx), consoleRequest(`/api/trpc/${procedure}`, sent), cookie);
  const { result } = await answer.json();
  return { status: answer.status, data: result?.data };
}
const isSignedIn = async (cookie: CookieReader) => (await call("session.me", cookie)).status === 200;

async function company() {
  const { partnerId } = await addPartner(database.db);
  const [owner, staff] = [await addPerson(database.db, "owner", partnerId), await addPerson(database.db, "staff", partnerId)];
  const key = { name: "Key", publicKey: "x", signCount: 0, transports: [], aaguid: "x", syncs: false, backedUp: false };
  // After the sign-ins, which would ask for it.
  const cookies = { owner: await sessionOf(ctx, owner), staff: await sessionOf(ctx, staff) };
  await database.db
    .insert(passkeys)
    .values({ id: randomUUID(), userId: staff.id, credentialId: randomUUID(), ...key, createdAt: new Date() });
  return { owner, staff, cookies };
}

it("lists, ends and changes a person's own alone", async () => {
  const { owner, staff, cookies } = await company();
  const another = await sessionOf(ctx, owner);
  const { data: own } = await call("session.list", cookies.owner);
  expect(own.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
  const [theirs] = await database.sql`select id from sessions where user_id = ${staff.id}`;
  expect((await call("session.end", cookies.owner, { session_id: theirs?.id })).status).toBe(404);
  expect(await isSignedIn(cookies.staff)).toBe(true);
  const other = own.find(({ current }: { current: boolean }) => !current);
  expect((await call("session.end", cookies.owner, { session_id: other.id })).status).toBe(200);
  expect([await isSignedIn(another), await isSignedIn(cookies.owner)]).toEqual([false, true]);
  const begun = await call("account.beginTwoFactors", cookies.owner, {});
  expect([begun.status, typeof begun.data.secret]).toEqual([200, "string"]);
  expect((await call("account.security", cookies.staff)).data).toMatchObject({ passkeys: [{ name: "Key" }] });
  expect((await call("account.security", cookies.owner)).data).toMatchObject({ passkeys: [] });
});

it("lets an owner see, end and reset what the partner's people have", async () => {
  const { staff, cookies } = await company();
  const { data } = await call("people.list?input=%7B%7D", cookies.owner);
  const row = data.people.find(({ id }: { id: string }) => id === staff.id);
  expect([row.two_factors, row.last_active_at === null]).toEqual([true, false]);
  expect((await call("people.resetTwoFactors", cookies.owner, { user_id: staff.id })).status).toBe(200);
  expect(await database.sql`select 1 from passkeys where user_id = ${staff.id}`).toEqual([]);
  expect(await isSignedIn(cookies.staff)).toBe(false);
  const again = await sessionOf(ctx, staff);
  expect((await call("people.endSessions", cookies.owner, { user_id: staff.id })).status).toBe(200);
  expect(await isSignedIn(again)).toBe(false);
});

it("keeps the operator's people to their own, too; who manages people sees and ends everybody's", async () => {
  const [admin, viewer] = [await addPerson(database.db, "admin"), await addPerson(database.db, "viewer")];
  const cookies = { admin: await sessionOf(ctx, admin), viewer: await sessionOf(ctx, viewer) };
  const another = await sessionOf(ctx, admin);
  const { data: own } = await call("session.list", cookies.admin);
  expect(own).toHaveLength(2);
  const [theirs] = await database.sql`select id from sessions where user_id = ${viewer.id}`;
  expect((await call("session.end", cookies.admin, { session_id: theirs?.id })).status).toBe(404);
  const key = { name: "Key", publicKey: "x", signCount: 0, transports: [], aaguid: "x", syncs: false, backedUp: false };
  await database.db
    .insert(passkeys)
    .values({ id: randomUUID(), userId: viewer.id, credentialId: randomUUID(), ...key, createdAt: new Date() });
  expect((await call("account.security", cookies.admin)).data).toMatchObject({ passkeys: [], totp: false });
  expect((await call("account.beginTwoFactors", cookies.admin, {})).status).toBe(200);
  const asked = `people.devices?input=${encodeURIComponent(JSON.stringify({ user_id: viewer.id }))}`;
  expect((await call(asked, cookies.admin)).data).toMatchObject({ devices: [{ name: "Key" }] });
  const changed = { current_password: PASSWORD, new_password: "copper-thistle-31-wren" };
  expect((await call("account.changePassword", cookies.admin, changed)).status).toBe(200);
  expect([await isSignedIn(another), await isSignedIn(cookies.admin), await isSignedIn(cookies.viewer)]).toEqual([false, true, true]);
  expect((await call("people.endSessions", cookies.admin, { user_id: viewer.id })).status).toBe(200);
  expect(await isSignedIn(cookies.viewer)).toBe(false);
});

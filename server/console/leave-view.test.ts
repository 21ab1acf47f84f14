import { afterAll, beforeAll, expect, it } from "vitest";
import { consoleParts, consoleRequest, sessionOf } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { handleTrpc } from "./handle.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it("an operator's person who views the console as a partner leaves that view, though the session is no row of the partner's", async () => {
  // With the log-in of a web process, for which the policies hold.
  const ctx = testContext(database.web);
  const [{ partnerId }, person] = [await addPartner(database.db), await addPerson(database.db, "viewer")];
  const cookie = await sessionOf(ctx, person);
  await database.sql`update sessions set viewing_as_partner_id = ${partnerId} where user_id = ${person.id}`;
  const call = async (procedure: string, init?: RequestInit) =>
    await handleTrpc(consoleParts(ctx), consoleRequest(`/api/trpc/${procedure}`, init), cookie);
  expect((await (await call("session.me")).json()).result.data).toMatchObject({ viewing: true, partner: { id: partnerId } });
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  expect((await call("session.end", { ...sent, body: JSON.stringify({ session_id: person.id }) })).status).toBe(403);
  expect((await call("session.leaveView", sent)).status).toBe(200);
  expect((await (await call("session.me")).json()).result.data).toMatchObject({ viewing: false, partner: null });
});

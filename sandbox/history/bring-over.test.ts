import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#db/client.ts";
import { type EventCursor, readEventPage } from "#db/queries/events/read-events.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { EVENT_AUDIENCES } from "#domain/event.ts";
import { copyTestDatabase, createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { bringOver } from "./bring-over.ts";

/** The history of a sandbox comes into a database that is in use. */

let present: TestDatabase;
let past: TestDatabase;
let partnerId: string;

beforeAll(async () => {
  present = await createTestDatabase();
  ({ partnerId } = await addPartner(present.db));
  past = await copyTestDatabase(present);
});
afterAll(async () => {
  await Promise.all([present?.close(), past?.close()]);
});

/** In one transaction. */
const record = (db: Database, ...objectIds: string[]) =>
  db.transaction((tx) =>
    recordEvents(
      tx,
      objectIds.map((objectId) => ({
        type: "withdrawal.created" as const,
        audience: "partner" as const,
        partnerId,
        objectId,
        at: new Date(),
        data: {},
      })),
    ),
  );

async function readOn(after: EventCursor | null) {
  const { events, horizon, epoch } = await readEventPage(present.db, { partnerId, audiences: EVENT_AUDIENCES, types: null }, after, 500);
  const names = events.map(({ objectId, version }) => `${objectId} ${version}`);
  return { names, cursor: { epoch, place: { position: horizon, version: 0, id: "" } } };
}

/** What is read after a place, once so many events are visible: transactions of other tests on the same server hold them back. */
async function readOnce(count: number, after: EventCursor | null) {
  await expect.poll(async () => (await readOn(after)).names, { timeout: 30_000 }).toHaveLength(count);
  return await readOn(after);
}

test("a follower that has read up to the present gets the whole history afterwards, in the history's order", async () => {
  await record(past.db, "first");
  await record(past.db, "second", "third");
  await record(past.db, "first");
  for (let count = 0; count < 100; count += 1) await record(past.db, `later ${count}`);
  await record(present.db, "mine");
  const before = await readOnce(1, null);
  expect(before.names).toEqual(["mine 1"]);

  await bringOver(past.url, present.url);
  const after = await readOnce(104, before.cursor);
  const later = Array.from({ length: 100 }, (_, count) => `later ${count} 1`);
  expect(after.names).toEqual([
    "first 1",
    expect.stringMatching(/^(second|third) 1$/),
    expect.stringMatching(/^(second|third) 1$/),
    "first 2",
    ...later,
  ]);

  // What happens to the same object afterwards has a later place, and so has all else.
  await record(present.db, "first");
  expect((await readOnce(1, after.cursor)).names).toEqual(["first 3"]);
  const behind = sql`select c.object_id from event_counters c join events e on (e.partner_id, e.object_id) = (c.partner_id, c.object_id) where e.position > c.position`;
  expect(await present.db.execute(behind)).toEqual([]);
});

import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { deleteEventsBefore, markEventLine } from "#db/queries/events/keep-events.ts";
import type { EventCursor } from "#db/queries/events/read-events.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { EVENT_AUDIENCES, type NewEvent } from "#domain/event.ts";
import { firstId } from "#domain/ids.ts";
import { createTestDatabase, processOf, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { type ListedEvents, listEvents } from "./read-events.ts";

let database: TestDatabase;
const WRITERS = 8;
const EVENTS = 10_000;
/** Few objects, so that transactions wait for each other in the opposite order of their numbers. */
const OBJECTS = 40;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const eventOf = (partnerId: string, objectId: string): NewEvent => ({
  type: "withdrawal.processing",
  objectId,
  partnerId,
  audience: "partner",
  at: new Date(),
  data: { id: objectId },
});

async function read(partnerId: string, after: EventCursor | null, limit = 100): Promise<ListedEvents> {
  const filter = { partnerId, audiences: EVENT_AUDIENCES, types: null };
  return await listEvents(database, { ...filter, after, limit, write: ({ place }) => place.position.toString() });
}

async function readAll(partnerId: string, after: EventCursor | null = null): Promise<ListedEvents> {
  const first = await read(partnerId, after);
  let page = first;
  const events = [...first.events];
  while (!page.isAtEnd) {
    page = await read(partnerId, page.next);
    events.push(...page.events);
  }
  return { ...page, events };
}

describe("readers that go on from their cursors", () => {
  it("see each of 10,000 events of 8 writers once, whenever its transaction commits, and each object's versions in order", async () => {
    const { partnerId } = await addPartner(database.db);
    const pool = openDatabase({ url: database.url, maxConnections: WRITERS, applicationName: "writers" });
    let isWritten = false;
    const write = async (writer: number) => {
      for (let count = 0; count < EVENTS / WRITERS; count += 1) {
        const objectId = `object-${(count * 7 + writer * 3) % OBJECTS}`;
        await pool.db.transaction(async (tx) => {
          // The number of the transaction comes first, the object's lock later, the commit later still.
          await tx.execute(sql`select pg_current_xact_id()`);
          if (Math.random() < 0.05) await sleep(Math.random() * 15);
          await recordEvents(tx, [eventOf(partnerId, objectId)]);
          if (Math.random() < 0.05) await sleep(Math.random() * 15);
        });
      }
    };
    const follow = async () => {
      const seen: ListedEvents["events"] = [];
      let after: EventCursor | null = null;
      while (true) {
        const wasWritten: boolean = isWritten;
        const page = await read(partnerId, after, 1 + Math.floor(Math.random() * 100));
        seen.push(...page.events);
        after = page.next;
        if (page.isAtEnd && wasWritten && seen.length >= EVENTS) return seen;
        if (page.isAtEnd) await sleep(Math.random() * 10);
      }
    };
    const readers = [follow(), follow(), follow()];
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    isWritten = true;
    for (const seen of await Promise.all(readers)) {
      expect(seen).toHaveLength(EVENTS);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(EVENTS);
      const versions = new Map<string, number>();
      const wrong = seen.filter(({ objectId, version }) => {
        const before = versions.get(objectId) ?? 0;
        versions.set(objectId, version);
        return version !== before + 1;
      });
      expect(wrong).toEqual([]);
    }
    await pool.close();
  }, 240_000);

  it("wait for a transaction that began before those that have committed", async () => {
    const { partnerId } = await addPartner(database.db);
    const { next } = await readAll(partnerId);
    const slow = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const late = database.db.transaction(async (tx) => {
      await recordEvents(tx, [eventOf(partnerId, "late")]);
      await tx.execute(sql`select 1`);
      begun.resolve();
      await slow.promise;
    });
    await begun.promise;
    await database.db.transaction((tx) => recordEvents(tx, [eventOf(partnerId, "soon")]));
    const meanwhile = await readAll(partnerId, next);
    expect(meanwhile.events).toEqual([]);
    slow.resolve();
    await late;
    await expect
      .poll(async () => (await readAll(partnerId, meanwhile.next)).events.map(({ objectId }) => objectId))
      .toEqual(["late", "soon"]);
  });
});

describe("what is old", () => {
  it("is deleted, and a cursor before it is refused with the oldest one, from which all that is kept follows", async () => {
    const { partnerId } = await addPartner(database.db);
    const { next: before } = await readAll(partnerId);
    await database.db.transaction((tx) => recordEvents(tx, [{ ...eventOf(partnerId, "old"), at: new Date(Date.now() - 31 * 86_400_000) }]));
    await database.db.transaction((tx) => recordEvents(tx, [eventOf(partnerId, "new")]));
    await expect.poll(async () => (await readAll(partnerId, before)).events).toHaveLength(2);
    expect(await deleteEventsBefore(database.db, firstId("event", new Date(Date.now() - 30 * 86_400_000)), 100)).toBe(1);
    const refused = await readAll(partnerId, before).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "cursor_expired", particulars: { members: { oldest_cursor: expect.any(String) } } });
    const kept = await readAll(partnerId);
    expect(kept.events.map(({ objectId }) => objectId)).toEqual(["new"]);
    expect((await readAll(partnerId, kept.next)).events).toEqual([]);
  });
});

describe("a database that was restored", () => {
  it("counts transactions again, so a cursor of the lost line goes on at the begin of the new one", async () => {
    const { partnerId } = await addPartner(database.db);
    await markEventLine(database.db);
    await database.db.transaction((tx) => recordEvents(tx, [eventOf(partnerId, "after")]));
    await expect.poll(async () => (await readAll(partnerId)).events).toHaveLength(1);
    const { next } = await readAll(partnerId);
    // What a reader has of a line that went on further, and was lost.
    const lost = { ...next, place: { ...next.place, position: next.place.position + 1_000_000n } };
    expect((await readAll(partnerId, lost)).events).toEqual([]);
    // As the worker, in its own role.
    const worker = processOf(database.db, "worker");
    await database.db.execute(sql`update event_epochs set line = 'another', marked = 0`);
    await markEventLine(worker);
    const found = await readAll(partnerId, lost);
    expect(found.events.map(({ objectId }) => objectId)).toEqual(["after"]);
    expect((await readAll(partnerId, found.next)).events).toEqual([]);
  });
});

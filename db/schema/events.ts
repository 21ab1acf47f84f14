import { sql } from "drizzle-orm";
import { bigint, index, integer, json, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { EVENT_AUDIENCES, EVENT_OBJECTS, type EventType } from "#domain/event.ts";
import type { KeptData } from "#domain/kept-event.ts";

/**
 * What partners can follow, a row for each change, written in its transaction (docs/decisions/events.md). No reference to the partner: a
 * check of it would cost each settlement more than the row. `position`: the transaction, or a later one that changed the object before.
 */
export const events = pgTable(
  "events",
  {
    id: text().primaryKey(),
    partnerId: uuid().notNull(),
    position: bigint({ mode: "bigint" }).notNull(),
    version: integer().notNull(),
    objectType: text({ enum: EVENT_OBJECTS }).notNull(),
    objectId: text().notNull(),
    type: text().$type<EventType>().notNull(),
    audience: text({ enum: EVENT_AUDIENCES }).notNull(),
    createdAt: instant().notNull(),
    data: json().$type<KeptData>().notNull(),
  },
  // Places with one position are few: they are sorted as they are read.
  (table) => [index("events_in_order").on(table.partnerId, table.position)],
);

/** How many events an object has had, and the position of the last one. A settlement has its counter in its own row. */
export const eventCounters = pgTable(
  "event_counters",
  {
    objectId: text().notNull(),
    partnerId: uuid().notNull(),
    recorded: integer().notNull(),
    position: bigint({ mode: "bigint" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.partnerId, table.objectId] })],
);

/** The last of a partner's events that were deleted: a cursor before it has expired. */
export const eventFloors = pgTable("event_floors", {
  partnerId: uuid().primaryKey(),
  position: bigint({ mode: "bigint" }).notNull(),
  version: integer().notNull(),
  eventId: text().notNull(),
});

/** The columns in which a settlement counts its events. The release before leaves them alone. */
export const eventColumns = () => ({
  eventsRecorded: integer().notNull().default(0),
  eventsPosition: bigint({ mode: "bigint" }).notNull().default(sql`0`),
});

/**
 * The lines of the database's history: a restore or a failover begins a new one, in which numbers of transactions may occur again. A cursor
 * of an earlier line goes on at `began`, which no event of the new line precedes. `marked`: a place that the present line has passed.
 */
export const eventEpochs = pgTable("event_epochs", {
  epoch: integer().primaryKey(),
  line: text().notNull(),
  began: bigint({ mode: "bigint" }).notNull(),
  marked: bigint({ mode: "bigint" }).notNull(),
  /** When the line was seen first. Business time. */
  seenAt: instant().notNull().default(sql`business_now()`),
});

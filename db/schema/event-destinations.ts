import { bigint, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant, leaseColumns } from "#db/columns.ts";
import type { EventAudience } from "#domain/event.ts";
import { DESTINATION_STATUSES, DESTINATION_TYPES, type DestinationTest } from "#domain/event-destination.ts";
import { apiKeys } from "./api-keys.ts";
import { partners } from "./partners.ts";

/**
 * Where partners have their events sent. An event has no row for each destination: a destination is a reader with a place in the order of
 * events (docs/decisions/event-destinations.md).
 */
export const eventDestinations = pgTable(
  "event_destinations",
  {
    id: text().primaryKey(),
    partnerId: uuid()
      .notNull()
      .references(() => partners.id),
    apiKeyId: uuid()
      .notNull()
      .references(() => apiKeys.id),
    type: text({ enum: DESTINATION_TYPES }).notNull(),
    /** Without credentials. */
    url: text().notNull(),
    /** With the credentials; null: it has none. */
    sealedUrl: text(),
    sealedSecret: text().notNull(),
    types: jsonb().$type<string[]>().notNull(),
    audiences: jsonb().$type<EventAudience[]>().notNull(),
    description: text().notNull(),
    status: text({ enum: DESTINATION_STATUSES }).notNull(),
    /** Up to this place everything is delivered. As in a cursor. */
    epoch: integer().notNull(),
    position: bigint({ mode: "bigint" }).notNull(),
    version: integer().notNull(),
    eventId: text().notNull(),
    ahead: jsonb().$type<string[]>().notNull(),
    failures: integer().notNull(),
    failingSince: instant(),
    lastError: text(),
    lastDeliveredAt: instant(),
    pausedAt: instant(),
    /** Business time of the next try after a failure; null: as soon as there is an event. */
    nextAttemptAt: instant("due_at"),
    test: jsonb().$type<DestinationTest>(),
    createdAt: instant().notNull(),
    ...leaseColumns(),
  },
  (table) => [index("event_destinations_of_partner").on(table.partnerId, table.id)],
);

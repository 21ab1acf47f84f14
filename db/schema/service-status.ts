import { sql } from "drizzle-orm";
import { date, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { DISRUPTION_CAUSES, type Impairment } from "#domain/service-status.ts";

/**
 * The history behind the public status page, in real time: a row for each day and surface, and one for each disruption. They are kept as
 * long as the page shows them (docs/decisions/service-status.md).
 */

/** How long a surface was in each state on a day of UTC. `coveredUntil`: what comes before is counted, by whichever process saw it first. */
export const statusDays = pgTable(
  "status_days",
  {
    day: date({ mode: "string" }).notNull(),
    surface: text().notNull(),
    operationalMs: integer().notNull(),
    degradedMs: integer().notNull(),
    downMs: integer().notNull(),
    coveredUntil: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.surface] })],
);

/** Disruptions: of each cause and chain (`key`) at most one is open. `seenUntil`: the last look that found it. */
export const statusIncidents = pgTable(
  "status_incidents",
  {
    id: text().primaryKey(),
    key: text().notNull(),
    cause: text({ enum: DISRUPTION_CAUSES }).notNull(),
    chain: text(),
    impairs: jsonb().$type<Record<string, Impairment>>().notNull(),
    beganAt: instant().notNull(),
    seenUntil: instant().notNull(),
    endedAt: instant(),
  },
  (table) => [uniqueIndex("status_incidents_open").on(table.key).where(sql`ended_at is null`)],
);

/** What the operator's people write about an incident for the public. */
export const statusNotes = pgTable(
  "status_notes",
  {
    incidentId: text()
      .notNull()
      .references(() => statusIncidents.id, { onDelete: "cascade" }),
    at: instant().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.incidentId, table.at] })],
);

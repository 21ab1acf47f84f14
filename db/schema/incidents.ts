import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { INCIDENT_ENTRY_KINDS } from "#domain/incident.ts";
import { users } from "./people.ts";

/** A trouble that people work on, in real time. Of each trouble at most one is open. */
export const incidents = pgTable(
  "incidents",
  {
    id: text().primaryKey(),
    /** The trouble's name, the same as long as it lasts. */
    trouble: text().notNull(),
    part: text().notNull(),
    detail: text().notNull(),
    /** The page that says what to do; null: there is none. */
    runbook: text(),
    /** Since when the trouble lasts, as it was when the incident was opened. */
    beganAt: instant().notNull(),
    openedAt: instant().notNull(),
    endedAt: instant(),
  },
  (table) => [uniqueIndex("incidents_open").on(table.trouble).where(sql`ended_at is null`), index("incidents_newest").on(table.openedAt)],
);

/** The timeline of an incident: who did what. Append only. */
export const incidentEntries = pgTable(
  "incident_entries",
  {
    id: text().primaryKey(),
    incidentId: text()
      .notNull()
      .references(() => incidents.id),
    kind: text({ enum: INCIDENT_ENTRY_KINDS }).notNull(),
    /** Of the runbook, from 0; only where a step was done or undone. */
    step: integer(),
    /** A note, or the step's text as it was. */
    text: text(),
    byId: uuid()
      .notNull()
      .references(() => users.id),
    byName: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [
    index("incident_entries_in_order").on(table.incidentId, table.at, table.id),
    check("incident_entries_step", sql`(${table.step} is not null) = (${table.kind} in ('step_done', 'step_undone'))`),
  ],
);

import { sql } from "drizzle-orm";
import { check, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant, leaseColumns } from "#db/columns.ts";

/** One for each business day: whether ledger, records and chains agreed. The row is the lock: one worker at a time has it. */
export const reconciliations = pgTable(
  "reconciliations",
  {
    /** The business day that it began on, `2026-11-21`. */
    day: text().primaryKey(),
    /** Business time. */
    startedAt: instant().notNull(),
    finishedAt: instant(),
    /** Real time. */
    begunAt: instant().notNull(),
    /** Rules asked, things looked at, differences found. */
    rules: integer(),
    checked: integer(),
    differences: integer(),
    /** Every difference by name, and what was halted for it. */
    findings: jsonb().$type<ReconciliationFinding[]>(),
    ...leaseColumns(),
  },
  (table) => [
    check("reconciliations_day", sql`${table.day} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'`),
    check(
      "reconciliations_finished",
      sql`(${table.finishedAt} is null) = (${table.findings} is null) and (${table.finishedAt} is null) = (${table.differences} is null)`,
    ),
  ],
);

export type ReconciliationFinding = { rule: string; subject: string; detail: string; chain: string | null; halted: boolean };

import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, index, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { LEDGER_CAUSES, LEDGER_PHASES, LEDGER_STEPS } from "#domain/ledger.ts";
import { partners } from "./partners.ts";

/**
 * What happened to money, once and for ever: append only, and unique by cause and step, so that nothing posts twice. A trigger
 * looks at commit whether the entry has all of its postings and each asset adds up to zero.
 */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    id: text().primaryKey(),
    cause: text({ enum: LEDGER_CAUSES }).notNull(),
    causeId: text().notNull(),
    step: text({ enum: LEDGER_STEPS }).notNull(),
    phase: text({ enum: LEDGER_PHASES }).notNull(),
    /** The pending entry that ends with this one: at most one does. */
    resolvesId: text().references((): AnyPgColumn => ledgerEntries.id),
    partnerId: uuid().references(() => partners.id),
    /** How many postings it has. */
    lines: smallint().notNull(),
    /** Business time. */
    at: instant().notNull(),
    /** Real time. */
    recordedAt: instant().notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    unique("ledger_entries_once").on(table.cause, table.causeId, table.step),
    unique("ledger_entries_resolved_once").on(table.resolvesId),
    unique("ledger_entries_lines").on(table.id, table.lines, table.phase),
    index("ledger_entries_pending").on(table.id).where(sql`phase = 'pending'`),
    index("ledger_entries_recorded").on(table.recordedAt),
    check(
      "ledger_entries_phase",
      sql`(${table.phase} = 'voided') = (${table.lines} = 0) and (${table.phase} <> 'voided' or ${table.resolvesId} is not null)
        and (${table.phase} <> 'pending' or ${table.resolvesId} is null)`,
    ),
  ],
);

import { sql } from "drizzle-orm";
import { check, foreignKey, index, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { baseUnits } from "#db/columns.ts";
import { LEDGER_ACCOUNTS, LEDGER_PHASES } from "#domain/ledger.ts";
import { ledgerEntries } from "./ledger-entries.ts";
import { partners } from "./partners.ts";

/**
 * One line of an entry: a debit above, a credit below zero, in the asset's smallest unit. Append only. A posting says how many
 * lines its entry has and which one it is, so that an entry that is complete can never be given another.
 */
export const ledgerPostings = pgTable(
  "ledger_postings",
  {
    entryId: text().notNull(),
    line: smallint().notNull(),
    lines: smallint().notNull(),
    /** Its entry's: what is only promised is in no balance. */
    phase: text({ enum: LEDGER_PHASES }).notNull(),
    account: text({ enum: LEDGER_ACCOUNTS }).notNull(),
    partnerId: uuid().references(() => partners.id),
    currency: text().notNull(),
    /** null: fiat. */
    chain: text(),
    decimals: smallint().notNull(),
    amount: baseUnits().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entryId, table.line] }),
    foreignKey({
      name: "ledger_postings_of_entry",
      columns: [table.entryId, table.lines, table.phase],
      foreignColumns: [ledgerEntries.id, ledgerEntries.lines, ledgerEntries.phase],
    }),
    // Holds all that a balance is made of: it is read from the index alone.
    index("ledger_postings_balance").on(
      table.account,
      table.currency,
      table.chain,
      table.phase,
      table.entryId,
      table.partnerId,
      table.decimals,
      table.amount,
    ),
    index("ledger_postings_of_partner").on(table.partnerId, table.entryId).where(sql`partner_id is not null`),
    check("ledger_postings_line", sql`${table.line} between 1 and ${table.lines}`),
    check("ledger_postings_amount", sql`${table.amount} <> 0`),
    check("ledger_postings_partner", sql`(${table.account} = 'partner_receivable') = (${table.partnerId} is not null)`),
    check(
      "ledger_postings_place",
      sql`(${table.account} not in ('treasury', 'network_fees', 'fee_revenue') or ${table.chain} is not null)
        and (${table.account} <> 'fiat_pool' or ${table.chain} is null)`,
    ),
  ],
);

import { sql } from "drizzle-orm";
import { check, foreignKey, index, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { baseUnits } from "#db/columns.ts";
import { LEDGER_ACCOUNTS } from "#server/domain/ledger.ts";
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
    foreignKey({ columns: [table.entryId, table.lines], foreignColumns: [ledgerEntries.id, ledgerEntries.lines] }),
    // Holds all that a balance is made of: it is read from the index alone.
    index("ledger_postings_balance").on(table.account, table.currency, table.chain, table.partnerId, table.entryId, table.amount),
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

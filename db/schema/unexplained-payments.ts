import { bigint, index, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";

/**
 * What left our wallets and Safes in transactions that the database did not know when they were found: after a restore, or with a leaked key.
 * One row per movement. A later payment to such a recipient may be one of those that were paid. Append only.
 */
export const unexplainedPayments = pgTable(
  "unexplained_payments",
  {
    chain: text().notNull(),
    /** The transaction's, in lower case. */
    hash: text().notNull(),
    /** The index of the token's event among the transaction's own logs, from 0; -1: the transaction itself moved the coin. */
    place: smallint().notNull(),
    wallet: text().notNull(),
    nonce: bigint({ mode: "number" }).notNull(),
    height: bigint({ mode: "number" }).notNull(),
    /** null: the chain's coin. All addresses in lower case. */
    token: text(),
    sender: text().notNull(),
    recipient: text().notNull(),
    amountBase: baseUnits().notNull(),
    /** Business time. */
    foundAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.hash, table.place] }),
    index("unexplained_payments_to").on(table.chain, table.recipient),
    index("unexplained_payments_from").on(table.chain, table.sender),
  ],
);

import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { transfers } from "./transfers.ts";

/**
 * What a chain took for one final transaction of ours, by its receipt: payments, reverts and cancellations alike. Written with the ledger
 * entry that posts it, in the transaction that ends the attempt. Append only: what a reorganisation deeper than the confirmations puts
 * into another block, where it costs something else, has a further row with the difference.
 */
export const networkFees = pgTable(
  "network_fees",
  {
    /** The cause of its ledger entry: the hash, or `hash:block` for a difference. */
    id: text().primaryKey(),
    hash: text().notNull(),
    chain: text().notNull(),
    transferId: text()
      .notNull()
      .references(() => transfers.id),
    blockNumber: bigint({ mode: "number" }).notNull(),
    gasUsed: baseUnits().notNull(),
    /** In base units of the chain's own coin, with what a rollup takes for the data; of a difference it may be negative. */
    feeBase: baseUnits().notNull(),
    /** Business time. */
    bookedAt: instant().notNull(),
  },
  (table) => [
    index("network_fees_hash").on(table.hash),
    index("network_fees_block").on(table.chain, table.blockNumber),
    index("network_fees_of_transfer").on(table.transferId),
    check("network_fees_amount", sql`(${table.feeBase} >= 0 or ${table.id} <> ${table.hash}) and ${table.gasUsed} >= 0`),
  ],
);

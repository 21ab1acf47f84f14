import { bigint, pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { transfers } from "./transfers.ts";

/**
 * What proved that a transfer was paid, where the engine itself did not end it: one payment in a final transaction. A payment proves
 * one transfer, for ever. Append only.
 */
export const transferProofs = pgTable(
  "transfer_proofs",
  {
    transferId: text()
      .primaryKey()
      .references(() => transfers.id),
    chain: text().notNull(),
    /** The transaction's, in lower case. */
    hash: text().notNull(),
    /** The index of the token's event among the transaction's own logs, from 0; null: the transaction itself is the payment. */
    logIndex: smallint(),
    blockNumber: bigint({ mode: "number" }).notNull(),
    blockHash: text().notNull(),
    /** When the block was made, by the chain's clock. */
    blockAt: instant().notNull(),
    /** Business time. */
    provenAt: instant().notNull(),
  },
  (table) => [unique("transfer_proofs_once").on(table.chain, table.hash, table.logIndex).nullsNotDistinct()],
);

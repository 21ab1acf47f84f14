import { integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { transactions } from "./transactions.ts";

/** The signed bytes of each attempt at a transaction, stored before any of them goes out; a fee bump is a new row. Append only. */
export const transactionAttempts = pgTable(
  "transaction_attempts",
  {
    hash: text().primaryKey(),
    transactionId: text()
      .notNull()
      .references(() => transactions.id),
    number: integer().notNull(),
    /** `payment`, or the operator's cancelling self-transfer. */
    kind: text({ enum: ["payment", "cancellation"] }).notNull(),
    rawBytes: text().notNull(),
    maxFeePerGas: baseUnits().notNull(),
    maxPriorityFeePerGas: baseUnits().notNull(),
    gasLimit: baseUnits().notNull(),
    signedAt: instant().notNull(),
    /** When the node first took it. */
    broadcastAt: instant(),
  },
  (table) => [unique("transaction_attempts_number").on(table.transactionId, table.number)],
);

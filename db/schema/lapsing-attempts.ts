import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { LAPSING_STATES } from "#domain/lapsing.ts";
import type { MeteredUse } from "#domain/lapsing-report.ts";
import { transfers } from "./transfers.ts";
import { wallets } from "./wallets.ts";

/**
 * The signed bytes of each attempt at a payment on a chain whose payments lapse, stored before any of them goes out. What was signed never
 * changes. A payment has at most one attempt that may still pay it, or has.
 */
export const lapsingAttempts = pgTable(
  "lapsing_attempts",
  {
    /** The payment's id on the chain. */
    id: text().primaryKey(),
    transferId: text()
      .notNull()
      .references(() => transfers.id),
    walletId: uuid()
      .notNull()
      .references(() => wallets.id),
    number: integer().notNull(),
    state: text({ enum: LAPSING_STATES }).notNull(),
    /** Sealed: only the signer opens them. */
    signedBytes: text().notNull(),
    unsignedBytes: text().notNull(),
    /** The last final height when the bytes were prepared. */
    afterHeight: bigint({ mode: "number" }).notNull(),
    /** Exactly one of the two. */
    expiryHeight: bigint({ mode: "number" }),
    expiryAt: instant(),
    /** null: the coin. */
    feeToken: text(),
    feeAtMost: baseUnits().notNull(),
    signedAt: instant().notNull(),
    sentAt: instant(),
    /** Real time: when to ask the nodes again. */
    lookAt: instant().notNull(),
    blockNumber: bigint({ mode: "number" }),
    blockHash: text(),
    endedAt: instant(),
    /** What it used of what the chain meters; null: it is not final, or nothing is known. */
    used: jsonb().$type<MeteredUse>(),
  },
  (table) => [
    uniqueIndex("lapsing_attempts_valid").on(table.transferId).where(sql`state not in ('failed', 'lapsed')`),
    unique("lapsing_attempts_number").on(table.transferId, table.number),
    index("lapsing_attempts_open").on(table.walletId, table.lookAt).where(sql`state in ('stored', 'sent', 'seen')`),
    index("lapsing_attempts_block").on(table.walletId, table.blockNumber).where(sql`block_number is not null`),
    check("lapsing_attempts_expiry", sql`(${table.expiryHeight} is null) <> (${table.expiryAt} is null)`),
    check("lapsing_attempts_end", sql`(${table.endedAt} is null) = (${table.state} in ('stored', 'sent', 'seen'))`),
    check("lapsing_attempts_block", sql`${table.state} not in ('seen', 'paid', 'failed') or ${table.blockHash} is not null`),
  ],
);

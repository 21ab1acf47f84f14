import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { transfers } from "./transfers.ts";
import { wallets } from "./wallets.ts";

/**
 * A transfer's place in a wallet's sequence. It has one place at a time: another is given only in the transaction that finds the one
 * before it final and reverted, so that it can never move anything.
 */
export const transactions = pgTable(
  "transactions",
  {
    id: text().primaryKey(),
    transferId: text()
      .notNull()
      .references(() => transfers.id),
    walletId: uuid()
      .notNull()
      .references(() => wallets.id),
    nonce: bigint({ mode: "number" }).notNull(),
    /** What it does; `to_address` null creates a contract. Only an operator's cancellation does something else under this nonce. */
    toAddress: text(),
    valueBase: baseUnits().notNull(),
    data: text().notNull(),
    /** SHA-256 over chain, sender, recipient, value and data: every attempt must have this very intent. */
    intentHash: text().notNull(),
    /** Real time: when to process it again, and from when on a higher fee is due. */
    lookAt: instant().notNull(),
    bumpAt: instant().notNull(),
    /** The chain's height when its nonce was first seen spent without one of our attempts in a block; null while it is not. */
    spentHeight: bigint({ mode: "number" }),
    /** Business time since which it is superseded, because a reverted attempt is final; null while it is valid. */
    supersededAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex("transactions_standing").on(table.transferId).where(sql`superseded_at is null`),
    index("transactions_superseded").on(table.transferId).where(sql`superseded_at is not null`),
    unique("transactions_nonce").on(table.walletId, table.nonce),
  ],
);

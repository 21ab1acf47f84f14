import { sql } from "drizzle-orm";
import { bigint, boolean, check, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { SIGNER_KINDS, WALLET_STATES } from "#domain/wallet.ts";

/** The service's own wallets. One process at a time may sign for one: it holds the lease, and the token fences late writers out. */
export const wallets = pgTable(
  "wallets",
  {
    id: uuid().primaryKey(),
    chain: text().notNull(),
    address: text().notNull(),
    /** The nonce that the next transaction of this wallet gets; null until the chain was asked once. */
    nextNonce: bigint({ mode: "number" }),
    leaseOwner: text(),
    /** Real time. */
    leaseUntil: instant(),
    /** Grows with each new holder. */
    fencingToken: bigint({ mode: "number" }).notNull(),
    /** Not read any more, and true for none: `lane_halts` says what is stopped. The version before writes it; falls away with the next. */
    paused: boolean().notNull().default(false),
    state: text({ enum: WALLET_STATES }).notNull().default("active"),
    /** The height at which the chain's count of its transactions was last seen to be ours. */
    alignedHeight: bigint({ mode: "number" }),
    /** Who keeps its key, as the last worker that took it up was configured: the web process is not told. null: none has said so yet. */
    signer: text({ enum: SIGNER_KINDS }),
    /** What is wrong with it, in words for operators; null when nothing is. */
    trouble: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique("wallets_address").on(table.chain, table.address),
    check("wallets_state", sql`${table.state} in ('active', 'draining', 'retired', 'compromised')`),
  ],
);

/**
 * What a treasury wallet held when the worker last looked. For people and figures, and for quoting, which promises no more
 * than that; a payment is planned by what the chain says at that very moment. */
export const walletBalances = pgTable(
  "wallet_balances",
  {
    walletId: uuid()
      .notNull()
      .references(() => wallets.id),
    currency: text().notNull(),
    amountBase: baseUnits().notNull(),
    /** As of that block. */
    height: bigint({ mode: "number" }).notNull(),
    /** Below so much it counts as low: what is owed just now and, of the native coin, the fees of the next payments. */
    thresholdBase: baseUnits().notNull(),
    /** Less than is owed on the chain just now, or than the fees of the next payments. */
    low: boolean().notNull(),
    /** Real time. */
    observedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.walletId, table.currency] })],
);

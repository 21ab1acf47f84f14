import { sql } from "drizzle-orm";
import { bigint, boolean, check, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { SIGNER_KINDS, WALLET_STATES } from "#domain/wallet.ts";

/** The service's own wallets. One process at a time may sign for one: it has the lease, and the fencing token keeps late writers out. */
export const wallets = pgTable(
  "wallets",
  {
    id: uuid().primaryKey(),
    chain: text().notNull(),
    address: text().notNull(),
    /** The nonce of this wallet's next transaction; null until it was read from the chain. */
    nextNonce: bigint({ mode: "number" }),
    leaseOwner: text(),
    /** Real time. */
    leaseUntil: instant(),
    /** Grows with each new holder. */
    fencingToken: bigint({ mode: "number" }).notNull(),
    /** Not read any more and without meaning: `lane_halts` has the halts. The previous version writes it; the next one drops it. */
    paused: boolean().notNull().default(false),
    state: text({ enum: WALLET_STATES }).notNull().default("active"),
    /** The height at which the chain's nonce count last matched ours. */
    alignedHeight: bigint({ mode: "number" }),
    /**
     * The kind of its signer, from the configuration of the last worker that leased it, because the web process does not know it. null: not
     * recorded yet.
     */
    signer: text({ enum: SIGNER_KINDS }),
    /** Its trouble in words for operators; null when there is none. */
    trouble: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique("wallets_address").on(table.chain, table.address),
    check("wallets_state", sql`${table.state} in ('active', 'draining', 'retired', 'compromised')`),
  ],
);

/**
 * A treasury wallet's balance at the worker's last reading. For the console and metrics, and for quotes, which promise no more than that.
 * Payments are planned by the chain's present state.
 */
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
    /** Below this amount it counts as low: the present obligations and, for the native coin, the fees of the next payments. */
    thresholdBase: baseUnits().notNull(),
    /** Less than is owed on the chain just now, or than the fees of the next payments. */
    low: boolean().notNull(),
    /** Real time. */
    observedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.walletId, table.currency] })],
);

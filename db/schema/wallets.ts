import { sql } from "drizzle-orm";
import { bigint, boolean, check, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { WALLET_STATES } from "#domain/wallet.ts";

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
    /** What is wrong with it, in words for operators; null when nothing is. */
    trouble: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique("wallets_address").on(table.chain, table.address),
    check("wallets_state", sql`${table.state} in ('active', 'draining', 'retired', 'compromised')`),
  ],
);

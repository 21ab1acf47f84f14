import { bigint, boolean, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

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
    /** An operator stopped it. */
    paused: boolean().notNull(),
    /** What is wrong with it, in words for operators; null when nothing is. */
    trouble: text(),
    createdAt: instant().notNull(),
  },
  (table) => [unique("wallets_address").on(table.chain, table.address)],
);

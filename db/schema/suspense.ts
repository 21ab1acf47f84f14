import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { CURSORS, HOLDERS, LINE_DIRECTIONS, LINE_RESOLUTIONS, LINE_STATES } from "#domain/suspense-line.ts";

/**
 * Movements of our wallets and Safes on the chains that no payment of ours explains, one row for each movement and kind of holder. A line stays
 * in suspense until a payment, a declared funding, a booked loss or two people explain it. What was found never changes, but for its block.
 */
export const suspenseLines = pgTable(
  "suspense_lines",
  {
    chain: text().notNull(),
    /** The transaction's, in lower case. For a move of the coin inside contracts: the hash of its block. */
    hash: text().notNull(),
    /** The index of the token's event among the transaction's own logs, from 0; negative: a move of the coin (`COIN_PLACES`). */
    place: smallint().notNull(),
    holder: text({ enum: HOLDERS }).notNull(),
    direction: text({ enum: LINE_DIRECTIONS }).notNull(),
    currency: text().notNull(),
    decimals: smallint().notNull(),
    /** null: the chain's coin. All addresses in lower case. */
    token: text(),
    sender: text().notNull(),
    recipient: text().notNull(),
    amountBase: baseUnits().notNull(),
    blockNumber: bigint({ mode: "number" }).notNull(),
    blockHash: text().notNull(),
    state: text({ enum: LINE_STATES }).notNull(),
    /** How often the ledger has an entry for it: more than once after a deep reorg. 0: never. */
    bookings: integer().notNull().default(0),
    /** null: still in suspense. */
    resolution: text({ enum: LINE_RESOLUTIONS }),
    /** The proposal that two people agreed on, where that explains it. */
    proposalId: text(),
    /** Business time. */
    foundAt: instant().notNull(),
    resolvedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.hash, table.place, table.holder] }),
    index("suspense_lines_open").on(table.chain, table.foundAt).where(sql`resolution is null and state <> 'gone'`),
    index("suspense_lines_newest").on(table.chain, table.blockNumber),
    check("suspense_lines_amount", sql`${table.amountBase} > 0`),
    check("suspense_lines_resolved", sql`(${table.resolution} is null) = (${table.resolvedAt} is null)`),
  ],
);

/** Up to which block the movements of a chain's wallets, or Safes, were read: a final one for tokens, the newest one for the coin. */
export const treasuryCursors = pgTable(
  "treasury_cursors",
  {
    chain: text().notNull(),
    holder: text({ enum: CURSORS }).notNull(),
    height: bigint({ mode: "number" }).notNull(),
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.holder] })],
);

/** From which block on a token's books follow its movements. Up to that block a balance is booked, which every node has shown. */
export const treasuryBooks = pgTable(
  "treasury_books",
  {
    chain: text().notNull(),
    currency: text().notNull(),
    height: bigint({ mode: "number" }).notNull(),
    /** Business time. */
    begunAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.currency] })],
);

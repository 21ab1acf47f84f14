import { bigint, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";

/** The worker's last reading of each chain's nodes. For the console, `/ready` and metrics. */
export const chainHeads = pgTable("chain_heads", {
  chain: text().primaryKey(),
  height: bigint({ mode: "number" }),
  /** The newest block's own time. */
  blockAt: instant(),
  /** The base fee of that block, and the priority fee that the node then suggested; null until it was read. */
  baseFeePerGas: baseUnits(),
  tipPerGas: baseUnits(),
  /** Real time: when a node last answered, and when the worker last tried. */
  seenAt: instant(),
  checkedAt: instant().notNull(),
  nodesUp: integer().notNull(),
  nodesTotal: integer().notNull(),
  /** Why nothing moves on this chain, in words for operators; null when all is well. */
  trouble: text(),
  /** Not read any more and without meaning: `treasury_cursors` has the cursors. The next version drops both. */
  outflowHeight: bigint({ mode: "number" }),
  outflowHash: text(),
});

/** The blocks of each chain that were read, as far back as a reorganisation may reach. The highest is the cursor. */
export const chainCursors = pgTable(
  "chain_cursors",
  {
    chain: text().notNull(),
    height: bigint({ mode: "number" }).notNull(),
    blockHash: text().notNull(),
    readAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.height] })],
);

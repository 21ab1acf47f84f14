import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** What the worker last heard of each chain's nodes. For people, `/ready` and figures. */
export const chainHeads = pgTable("chain_heads", {
  chain: text().primaryKey(),
  height: bigint({ mode: "number" }),
  /** The newest block's own time. */
  blockAt: instant(),
  /** Real time: when a node last answered, and when the worker last tried. */
  seenAt: instant(),
  checkedAt: instant().notNull(),
  nodesUp: integer().notNull(),
  nodesTotal: integer().notNull(),
  /** Why nothing moves on this chain, in words for operators; null when all is well. */
  trouble: text(),
});

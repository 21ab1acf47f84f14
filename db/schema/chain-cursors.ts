import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

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

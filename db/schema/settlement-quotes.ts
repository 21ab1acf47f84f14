import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { quoteColumns } from "#db/columns.ts";
import { pairTerms } from "./rates.ts";
import { settlements } from "./settlements.ts";

/** Every price a settlement ever had: version 1 at creation, version 2 at approval. Never changed. */
export const settlementQuotes = pgTable(
  "settlement_quotes",
  {
    settlementId: text()
      .notNull()
      .references(() => settlements.id),
    version: integer().notNull(),
    ...quoteColumns(() => pairTerms.id),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.version] })],
);

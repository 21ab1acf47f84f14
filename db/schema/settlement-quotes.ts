import { integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
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
    /** Its settlement's. null: written by a version that did not say it. */
    partnerId: uuid(),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.version] })],
);

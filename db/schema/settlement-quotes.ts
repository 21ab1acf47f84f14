import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { baseUnits, exactDecimal, instant } from "#db/columns.ts";
import { pairTerms } from "./pair-terms.ts";
import { settlements } from "./settlements.ts";

/** Every price a settlement ever had: version 1 at creation, version 2 at approval. Never changed. */
export const settlementQuotes = pgTable(
  "settlement_quotes",
  {
    settlementId: text()
      .notNull()
      .references(() => settlements.id),
    version: integer().notNull(),
    exchangeRate: exactDecimal().notNull(),
    midRate: exactDecimal().notNull(),
    spreadBps: integer().notNull(),
    rateSource: text().notNull(),
    rateAsOf: instant().notNull(),
    pairTermsId: text()
      .notNull()
      .references(() => pairTerms.id),
    grossBase: baseUnits().notNull(),
    platformFeeBase: baseUnits().notNull(),
    destinationAmountBase: baseUnits().notNull(),
    pricedAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.version] })],
);

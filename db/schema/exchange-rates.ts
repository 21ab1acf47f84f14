import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { exactDecimal, instant } from "#db/columns.ts";

/** The newest mid rate of a currency pair: destination units per one major unit of the source. Times are real time. */
export const exchangeRates = pgTable(
  "exchange_rates",
  {
    sourceCurrency: text().notNull(),
    destinationCurrency: text().notNull(),
    midRate: exactDecimal().notNull(),
    source: text().notNull(),
    asOf: instant().notNull(),
    /** From this instant on nobody quotes from it; null: a fixed rate, which does not age. */
    staleAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.sourceCurrency, table.destinationCurrency] })],
);

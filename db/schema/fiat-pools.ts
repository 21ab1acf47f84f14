import { sql } from "drizzle-orm";
import { check, pgTable, text } from "drizzle-orm/pg-core";
import { instant, minorUnits } from "#db/columns.ts";

/**
 * What we hold with the fiat provider, per currency. Whoever reserves out of a pool locks its row first; what is reserved is the
 * sum over the withdrawals that hold it. One change per payment that the provider has settled, so the row is not hot.
 */
export const fiatPools = pgTable(
  "fiat_pools",
  {
    currency: text().primaryKey(),
    totalMinor: minorUnits().notNull(),
    /** Limits of one withdrawal, inclusive. */
    minimumMinor: minorUnits().notNull(),
    maximumMinor: minorUnits().notNull(),
    /** At what is free below this, an operator should add money. */
    lowWaterMinor: minorUnits().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    check("fiat_pools_total", sql`${table.totalMinor} >= 0`),
    check("fiat_pools_limits", sql`1 <= ${table.minimumMinor} and ${table.minimumMinor} <= ${table.maximumMinor}`),
  ],
);

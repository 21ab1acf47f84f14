import { sql } from "drizzle-orm";
import { boolean, check, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits, exactDecimal, instant, minorUnits } from "#db/columns.ts";
import { partners } from "./partners.ts";

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

/**
 * The terms of a pair, one row per version, never changed: the highest version is in force. A row with a partner overrides all of the
 * pair's terms for that partner, unless `withdrawn`.
 */
export const pairTerms = pgTable(
  "pair_terms",
  {
    id: text().primaryKey(),
    sourceCurrency: text().notNull(),
    destinationCurrency: text().notNull(),
    chain: text().notNull(),
    partnerId: uuid().references(() => partners.id),
    version: integer().notNull(),
    enabled: boolean().notNull(),
    withdrawn: boolean().notNull(),
    spreadBps: integer().notNull(),
    platformFeeBase: baseUnits().notNull(),
    minimumSourceMinor: minorUnits().notNull(),
    maximumSourceMinor: minorUnits().notNull(),
    /** Strictly above it two people must approve; null: one is always enough. */
    twoApprovalsAboveMinor: minorUnits(),
    /** Strictly above it the items of a batch together need an approval; null: their sum is not judged. */
    batchMaximumSourceMinor: minorUnits(),
    quoteLifetimeSeconds: integer().notNull(),
    approvedLifetimeSeconds: integer().notNull(),
    createdAt: instant().notNull(),
    /** The version's author, as the audit log names actors. */
    createdBy: text().notNull(),
  },
  (table) => [
    unique("pair_terms_version")
      .on(table.sourceCurrency, table.destinationCurrency, table.chain, table.partnerId, table.version)
      .nullsNotDistinct(),
    check("pair_terms_spread", sql`${table.spreadBps} between 0 and 9999`),
    check("pair_terms_limits", sql`1 <= ${table.minimumSourceMinor} and ${table.minimumSourceMinor} <= ${table.maximumSourceMinor}`),
    check("pair_terms_two_approvals", sql`${table.twoApprovalsAboveMinor} >= ${table.maximumSourceMinor}`),
    check("pair_terms_batch_maximum", sql`${table.batchMaximumSourceMinor} >= ${table.maximumSourceMinor}`),
    check("pair_terms_lifetimes", sql`${table.quoteLifetimeSeconds} > 0 and ${table.approvedLifetimeSeconds} > 0`),
    check("pair_terms_fee", sql`${table.platformFeeBase} >= 0`),
  ],
);

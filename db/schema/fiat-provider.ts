import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant, leaseColumns, minorUnits } from "#db/columns.ts";
import { type ProviderWord, WORD_EFFECTS, WORD_SOURCES } from "#domain/fiat.ts";
import type { SimulatedCall } from "#domain/simulated-order.ts";

/**
 * Our balance with the fiat provider, per currency. A reservation locks its row first; the reserved amount is the sum over the withdrawals
 * that hold it. One change per settled payment, so the row is not hot.
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

/** Every report of the fiat provider about an order, whatever its effect: never changed, never deleted. */
export const providerEvents = pgTable(
  "provider_events",
  {
    id: text().primaryKey(),
    /** Our `wd_…` or `tu_…`; of an order that we do not know, what the provider called it. */
    orderId: text().notNull(),
    source: text({ enum: WORD_SOURCES }).notNull(),
    status: text({ enum: ["succeeded", "failed"] }).notNull(),
    reference: text(),
    reason: text(),
    effect: text({ enum: [...WORD_EFFECTS, "unknown_order"] }).notNull(),
    /** The exact bytes of its call; null for an answer to our question. */
    body: text(),
    /** Business time. */
    receivedAt: instant().notNull(),
  },
  (table) => [
    index("provider_events_of_order").on(table.orderId, table.id),
    index("provider_events_contradictions").on(table.receivedAt).where(sql`effect in ('contradicted', 'unknown_order')`),
  ],
);

/** The orders of the sandbox's simulated fiat provider, as if in its own database: they survive every restart. */
export const simulatedOrders = pgTable(
  "simulated_orders",
  {
    /** Our order's id: anyone who gives the same order again gets the same answer. */
    id: text().primaryKey(),
    kind: text({ enum: ["collection", "payout"] }).notNull(),
    reference: text().notNull(),
    outcome: jsonb().$type<ProviderWord>().notNull(),
    /** Business time. */
    settlesAt: instant().notNull(),
    calls: jsonb().$type<readonly SimulatedCall[]>().notNull(),
    callsMade: integer().notNull(),
    /** Business time: when it makes the next of its calls; null after the last. */
    dueAt: instant(),
    ...leaseColumns(),
    createdAt: instant().notNull(),
  },
  (table) => [index("simulated_orders_due").on(table.dueAt)],
);

/** The fiat providers' own balance in the currency of a pool, as they were last asked, and how far it is from the books. */
export const providerBalances = pgTable("provider_balances", {
  currency: text()
    .primaryKey()
    .references(() => fiatPools.currency),
  /** Business time, as are the others. The worker that sets it asks. */
  askedAt: instant().notNull(),
  answeredAt: instant(),
  balanceMinor: minorUnits(),
  differenceMinor: minorUnits(),
  differsSince: instant(),
  problem: text(),
});

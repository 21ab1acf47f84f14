import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant, leaseColumns, minorUnits } from "#db/columns.ts";
import { type ProviderWord, WORD_EFFECTS, WORD_SOURCES } from "#domain/fiat.ts";
import type { SimulatedCall } from "#domain/simulated-order.ts";

/**
 * What we hold with the fiat provider, per currency. Anyone who reserves out of a pool locks its row first; what is reserved is the
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

/** Every word of the fiat provider's about an order, whatever it did: never changed, never deleted. */
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
    /** The bytes of its call as they came; null for what it said when asked. */
    body: text(),
    /** Business time. */
    receivedAt: instant().notNull(),
  },
  (table) => [
    index("provider_events_of_order").on(table.orderId, table.id),
    index("provider_events_contradictions").on(table.receivedAt).where(sql`effect in ('contradicted', 'unknown_order')`),
  ],
);

/** The sandbox's simulated fiat provider keeps its orders here, as if in a database of its own: they survive every restart. */
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

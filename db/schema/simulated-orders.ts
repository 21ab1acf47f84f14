import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant, leaseColumns } from "#db/columns.ts";
import type { ProviderWord } from "#domain/fiat.ts";
import type { SimulatedCall } from "#domain/simulated-order.ts";

/** The sandbox's simulated fiat provider keeps its orders here, as if in a database of its own: they survive every restart. */
export const simulatedOrders = pgTable(
  "simulated_orders",
  {
    /** Our order's id: whoever gives the same order again gets the same answer. */
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

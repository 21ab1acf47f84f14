import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant, minorUnits } from "#db/columns.ts";

/** The sandbox's simulated fiat provider keeps its orders here, as if in a database of its own: it survives every restart. */
export const simulatedOrders = pgTable(
  "simulated_orders",
  {
    /** Our order's id: whoever gives the same order again gets the same answer. */
    id: text().primaryKey(),
    kind: text({ enum: ["collection", "payout"] }).notNull(),
    amountMinor: minorUnits().notNull(),
    currency: text().notNull(),
    account: text().notNull(),
    reference: text().notNull(),
    /** What it tells at a look-up from `settles_at` on. */
    outcome: text({ enum: ["succeeded", "failed"] }).notNull(),
    reason: text(),
    /** Business time. */
    settlesAt: instant().notNull(),
    /** The calls it will make, in order: when (seconds after it was given the order), with which words. */
    calls: jsonb().$type<SimulatedCall[]>().notNull(),
    callsMade: integer().notNull(),
    dueAt: instant(),
    leaseUntil: instant(),
    leaseToken: uuid(),
    createdAt: instant().notNull(),
  },
  (table) => [index("simulated_orders_due").on(table.dueAt)],
);

export type SimulatedCall = { afterSeconds: number; status: "succeeded" | "failed"; reference: string; reason: string | null };

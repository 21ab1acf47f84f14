import { bigint, boolean, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { wallets } from "./wallets.ts";

/**
 * What a treasury wallet held when the worker last looked. For people and figures, and for quoting, which promises no more
 * than that; a payment is planned by what the chain says at that very moment. */
export const walletBalances = pgTable(
  "wallet_balances",
  {
    walletId: uuid()
      .notNull()
      .references(() => wallets.id),
    currency: text().notNull(),
    amountBase: baseUnits().notNull(),
    /** As of that block. */
    height: bigint({ mode: "number" }).notNull(),
    /** Below so much it counts as low: what is owed just now and, of the native coin, the fees of the next payments. */
    thresholdBase: baseUnits().notNull(),
    /** Less than is owed on the chain just now, or than the fees of the next payments. */
    low: boolean().notNull(),
    /** Real time. */
    observedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.walletId, table.currency] })],
);

import { bigint, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { wallets } from "./wallets.ts";

/**
 * What a treasury wallet held at a final block, of which every transfer had been accounted for. Append only: between two of them
 * the wallet's balance may have changed by our own transfers and by nothing else.
 */
export const treasuryCheckpoints = pgTable(
  "treasury_checkpoints",
  {
    walletId: uuid()
      .notNull()
      .references(() => wallets.id),
    currency: text().notNull(),
    height: bigint({ mode: "number" }).notNull(),
    blockHash: text().notNull(),
    amountBase: baseUnits().notNull(),
    /** Since the checkpoint before: what our own transfers do not explain. */
    unexplainedBase: baseUnits().notNull(),
    /** Real time. */
    takenAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.walletId, table.currency, table.height] }), index().on(table.takenAt)],
);

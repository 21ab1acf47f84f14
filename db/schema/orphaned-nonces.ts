import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { transactions } from "./transactions.ts";
import { transfers } from "./transfers.ts";
import { wallets } from "./wallets.ts";

/**
 * Places of a wallet's sequence that were spent in vain (superseded, failed), in a block that the chain has dropped although it was final.
 * Each is to be spent on nothing; while one stands here, nothing of its transfer is signed or sent. It goes when its nonce is spent for good.
 */
export const orphanedNonces = pgTable(
  "adrift_places",
  {
    transactionId: text()
      .primaryKey()
      .references(() => transactions.id),
    transferId: text()
      .notNull()
      .references(() => transfers.id),
    walletId: uuid()
      .notNull()
      .references(() => wallets.id),
    /** Business time. */
    since: instant().notNull(),
  },
  (table) => [index("adrift_places_transfer").on(table.transferId), index("adrift_places_wallet").on(table.walletId)],
);

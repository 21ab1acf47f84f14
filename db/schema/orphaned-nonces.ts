import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { transactions } from "./transactions.ts";
import { transfers } from "./transfers.ts";
import { wallets } from "./wallets.ts";

/**
 * Superseded nonces of a wallet whose final block a deep reorg has dropped. An empty transfer must use each. While one exists, nothing of
 * its transfer is signed or sent. It is deleted once its nonce is finally spent.
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

import { bigint, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { transfers } from "./transfers.ts";
import { wallets } from "./wallets.ts";

/** A transfer's one place in a wallet's sequence. One transfer has one nonce for ever. */
export const transactions = pgTable(
  "transactions",
  {
    id: text().primaryKey(),
    transferId: text().notNull().unique().references(() => transfers.id),
    walletId: uuid().notNull().references(() => wallets.id),
    nonce: bigint({ mode: "number" }).notNull(),
    /** SHA-256 over chain, sender, recipient, value and data: every attempt must have this very intent. */
    intentHash: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [unique("transactions_nonce").on(table.walletId, table.nonce)],
);

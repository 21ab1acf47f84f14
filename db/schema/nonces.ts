import { index, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/**
 * Nonces that a valid signature has burnt (contract, part 3). The primary key lets exactly one of two racing requests win, so it spans the
 * whole table: a partitioned one would accept the same nonce twice under two timestamps.
 */
export const nonces = pgTable(
  "nonces",
  {
    apiKeyId: uuid().notNull(),
    nonce: uuid().notNull(),
    /** Real time. */
    burntAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.apiKeyId, table.nonce] }), index().on(table.burntAt)],
);

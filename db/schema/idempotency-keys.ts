import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** The answer an operation gave under an Idempotency-Key, written in the operation's own transaction (contract, parts 2 and 9). */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    partnerId: uuid().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    bodySha256: text().notNull(),
    responseStatus: integer().notNull(),
    responseHeaders: text().notNull(),
    responseBody: text().notNull(),
    /** Real time. */
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.partnerId, table.method, table.path, table.key] }), index().on(table.createdAt)],
);

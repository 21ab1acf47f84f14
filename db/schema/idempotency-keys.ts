import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** The answer an operation gave under an Idempotency-Key, written in the operation's own transaction (contract, parts 2 and 9). */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** A partner, or the person or key of the operator that called: ids of all of them are UUIDs of their own. */
    ownerId: uuid("partner_id").notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    bodySha256: text().notNull(),
    responseStatus: integer().notNull(),
    responseHeaders: text().notNull(),
    /** Empty where the answer shows a secret. */
    responseBody: text().notNull(),
    /** The body of an answer that shows a secret, sealed by the vault. */
    sealedBody: text(),
    /** The API key or person that an answer with a secret was told, and alone may be told again; null: the answer shows none. */
    toldTo: uuid(),
    /** Real time. */
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.method, table.path, table.key] }), index().on(table.createdAt)],
);

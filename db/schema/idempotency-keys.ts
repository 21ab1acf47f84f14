import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** The answer an operation gave under an Idempotency-Key, written in the operation's own transaction (contract, parts 2 and 9). */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** A partner, or the operator's user or key that called: the UUIDs of all of them differ. */
    ownerId: uuid("partner_id").notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    bodySha256: text().notNull(),
    responseStatus: integer().notNull(),
    responseHeaders: text().notNull(),
    /** Empty where the answer shows a secret. */
    responseBody: text().notNull(),
    /** The body of an answer with a secret, encrypted by the vault. */
    sealedBody: text(),
    /** The API key or person that got an answer with a secret, and alone may get it again; null: the answer contains none. */
    answeredTo: uuid("told_to"),
    /** Real time. */
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.method, table.path, table.key] }), index().on(table.createdAt)],
);

import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { users } from "./users.ts";

/** What a person signs in with when the authenticator is lost: each works once. Times are real time. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** SHA-256, hex. */
    codeHash: text().notNull(),
    createdAt: instant().notNull(),
    spentAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

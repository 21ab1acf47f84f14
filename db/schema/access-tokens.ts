import { boolean, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { users } from "./users.ts";

/** What a log-in hands out, stored hashed: short-lived, and revoked by a row, not by waiting. Times are real time. */
export const accessTokens = pgTable(
  "access_tokens",
  {
    id: uuid().primaryKey(),
    /** SHA-256, hex. */
    tokenHash: text().notNull().unique(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** Whether the log-in gave a one-time or recovery code beside the password. */
    byCode: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

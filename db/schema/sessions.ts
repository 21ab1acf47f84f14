import { boolean, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";
import { users } from "./users.ts";

/** One sign-in to the console. Looked up on every call, so that ending it is effective at once. Times are real time. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid().primaryKey(),
    /** SHA-256, hex, of what the browser's cookie holds sealed. */
    sidHash: text().notNull().unique(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    /** When its person last gave the password or a one-time code; null: never since. */
    steppedUpAt: instant(),
    /** Whether that was a one-time or recovery code: a second factor. */
    steppedUpByCode: boolean().notNull().default(false),
    /** While set, its person, one of the operator's, sees the console as that partner's staff does. */
    viewingAsPartnerId: uuid().references(() => partners.id),
    address: text().notNull(),
    userAgent: text(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

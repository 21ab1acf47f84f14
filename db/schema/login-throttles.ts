import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/**
 * How much a log-in's budget is used up: by account and address, by address, by account. No row is a full budget. `full_at` (real
 * time) is when it would be full again if nothing else came.
 */
export const loginThrottles = pgTable(
  "login_throttles",
  {
    /** SHA-256 of what is throttled, so that no list of tried names lies about. */
    key: text().primaryKey(),
    fullAt: instant().notNull(),
  },
  (table) => [index().on(table.fullAt)],
);

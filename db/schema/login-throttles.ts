import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/**
 * How much a budget is used up that all processes share: a log-in's, by account and address, by address, by account; a partner's of
 * sample callbacks. No row is a full budget. `full_at` (real time) is when it would be full again if nothing else came.
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

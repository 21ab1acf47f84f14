import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { users } from "./people.ts";
import { settlements } from "./settlements.ts";

/** Who is reviewing a settlement that waits for a decision: a courtesy that expires by itself, never a lock. Times are real time. */
export const reviewClaims = pgTable(
  "review_claims",
  {
    settlementId: text()
      .primaryKey()
      .references(() => settlements.id),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    claimedUntil: instant().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.claimedUntil)],
);

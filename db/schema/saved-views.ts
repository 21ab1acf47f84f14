import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";
import { users } from "./users.ts";

/** A way of looking at a list that somebody keeps under a name, for oneself or for everybody of one's own organisation. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: text().primaryKey(),
    ownerId: uuid()
      .notNull()
      .references(() => users.id),
    /** The owner's organisation; null: the operator. */
    partnerId: uuid().references(() => partners.id),
    name: text().notNull(),
    shared: boolean().notNull(),
    /** What stands in the list's address: filters and columns, never a place in the list. */
    params: jsonb().$type<Record<string, string>>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex("saved_views_name").on(table.ownerId, table.name),
    index("saved_views_shared").on(table.partnerId).where(sql`shared`),
    check("saved_views_have_a_name", sql`length(${table.name}) between 1 and 60`),
  ],
);

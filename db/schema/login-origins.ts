import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { users } from "./users.ts";

/** From which addresses a person has signed in before: there no stranger's guessing can throttle it. Real time. */
export const loginOrigins = pgTable(
  "login_origins",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id),
    address: text().notNull(),
    lastSuccessAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.address] })],
);

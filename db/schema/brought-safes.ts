import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** Wallets that members brought, and whether each is a Safe that nobody but our wallets can move. Such a Safe is watched like a deployed one. */
export const broughtSafes = pgTable(
  "brought_safes",
  {
    chain: text().notNull(),
    /** In lower case. */
    address: text().notNull(),
    isOurs: boolean().notNull(),
    /** Real time at which the chain said so last. */
    askedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.address] })],
);

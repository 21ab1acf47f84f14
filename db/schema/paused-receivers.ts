import { pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";

/** Paused receivers: their callbacks wait with their due times until the row is gone (contract, part 10 "Callbacks"). */
export const pausedReceivers = pgTable(
  "paused_receivers",
  {
    /** Whose callbacks wait; null: everybody's, paused by the operator. */
    partnerId: uuid().references(() => partners.id),
    /** Scheme, host and port. */
    origin: text().notNull(),
    reason: text().notNull(),
    /** Business time. */
    pausedAt: instant().notNull(),
    actorType: text().notNull(),
    actorId: text(),
  },
  (table) => [unique("paused_receivers_once").on(table.partnerId, table.origin).nullsNotDistinct()],
);

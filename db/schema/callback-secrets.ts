import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";

/** A partner's `whsec_…` secrets, encrypted. During a rotation's overlap there are two that have not expired. */
export const callbackSecrets = pgTable(
  "callback_secrets",
  {
    id: uuid().primaryKey(),
    partnerId: uuid()
      .notNull()
      .references(() => partners.id),
    sealedSecret: text().notNull(),
    createdAt: instant().notNull(),
    /** Real time; null: in force until rotated. */
    expiresAt: instant(),
  },
  (table) => [index().on(table.partnerId)],
);

import { sql } from "drizzle-orm";
import { check, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";

/** People who sign in (contract, part 7): operator users have no partner, partner users have one. */
export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey(),
    /** In lower case. */
    email: text().notNull().unique(),
    name: text().notNull(),
    passwordHash: text().notNull(),
    role: text({ enum: ["admin", "approver", "viewer", "owner", "staff"] }).notNull(),
    partnerId: uuid().references(() => partners.id),
    /** The sealed secret of its one-time codes; null: none are asked for. */
    sealedTotpSecret: text(),
    /** A secret that was shown and is not confirmed by a code yet; sealed. */
    sealedTotpDraft: text(),
    /** The half minute whose code was used last: a code works once. */
    lastTotpStep: integer(),
    createdAt: instant().notNull(),
    disabledAt: instant(),
  },
  (table) => [
    check("users_role_fits_partner", sql`(${table.partnerId} is null) = (${table.role} in ('admin', 'approver', 'viewer'))`),
    check("users_email_is_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

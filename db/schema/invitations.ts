import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";
import { users } from "./users.ts";

/** Who may become a user, and in which role. Its link is told once and stored hashed. Times are real time. */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid().primaryKey(),
    /** In lower case. */
    email: text().notNull(),
    role: text({ enum: ["admin", "approver", "viewer", "owner", "staff"] }).notNull(),
    partnerId: uuid().references(() => partners.id),
    /** SHA-256, hex. */
    tokenHash: text().notNull().unique(),
    invitedBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** An invitation ends once: it is accepted, or withdrawn. */
    acceptedAt: instant(),
    withdrawnAt: instant(),
  },
  (table) => [
    check("invitations_role_fits_partner", sql`(${table.partnerId} is null) = (${table.role} in ('admin', 'approver', 'viewer'))`),
    check("invitations_email_is_lower_case", sql`${table.email} = lower(${table.email})`),
    check("invitations_end_once", sql`${table.acceptedAt} is null or ${table.withdrawnAt} is null`),
    index().on(table.partnerId, table.createdAt),
    index().on(table.email),
  ],
);

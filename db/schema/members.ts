import { sql } from "drizzle-orm";
import { check, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { SAFE_STATUSES } from "#domain/member.ts";
import { partners } from "./partners.ts";

/** A partner's end customers (contract, part 6). */
export const members = pgTable(
  "members",
  {
    id: uuid().primaryKey(),
    partnerId: uuid()
      .notNull()
      .references(() => partners.id),
    externalUserId: text().notNull(),
    /** E.164. */
    phone: text().notNull(),
    name: text(),
    email: text(),
    /** Null until the Safe that is deployed for the member has its address. */
    walletAddress: text(),
    chain: text().notNull(),
    /** Null: the member brought its own wallet. */
    safeStatus: text({ enum: SAFE_STATUSES }),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    unique("members_external_user_id").on(table.partnerId, table.externalUserId),
    unique("members_phone").on(table.partnerId, table.phone),
    index("members_newest").on(table.partnerId, table.createdAt, table.id),
    index("members_newest_of_all").on(table.createdAt, table.id),
    check("members_phone_is_e164", sql`${table.phone} ~ '^\\+[1-9][0-9]{6,14}$'`),
    check("members_has_wallet", sql`${table.walletAddress} is not null or ${table.safeStatus} in ('deploying', 'failed')`),
  ],
);

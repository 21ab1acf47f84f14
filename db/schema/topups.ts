import { sql } from "drizzle-orm";
import { check, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits } from "#db/columns.ts";
import { ACCOUNT_TYPES } from "#domain/fiat.ts";
import { TOPUP_STEPS } from "#domain/topup.ts";
import { members } from "./members.ts";
import { orderColumns } from "./order-columns.ts";

/** Fiat from a member, crypto to its wallet (contract, part 6). */
export const topups = pgTable(
  "topups",
  {
    ...orderColumns(),
    memberId: uuid()
      .notNull()
      .references(() => members.id),
    externalUserId: text().notNull(),
    step: text({ enum: TOPUP_STEPS }).notNull(),
    destinationAmountBase: baseUnits().notNull(),
    destinationCurrency: text().notNull(),
    walletAddress: text().notNull(),
    sourceType: text({ enum: ACCOUNT_TYPES }).notNull(),
    sourceAccount: text().notNull(),
    paymentReference: text().notNull(),
    paymentInstructions: text().notNull(),
  },
  (table) => [
    unique("topups_external_id").on(table.partnerId, table.externalId),
    index("topups_newest").on(table.partnerId, table.createdAt, table.id),
    index("topups_newest_of_all").on(table.createdAt, table.id),
    index("topups_of_member").on(table.memberId, table.createdAt, table.id),
    index("topups_ambiguous").on(table.ambiguousSince).where(sql`ambiguous_since is not null`),
    index("topups_due").on(table.dueAt).where(sql`due_at is not null`),
    check(
      "topups_legal_pair",
      sql`(${table.status}, ${table.step}) in (
        ('pending', 'collecting'), ('processing', 'sending'), ('completed', 'sent'), ('failed', 'uncollected'), ('failed', 'unsent'))`,
    ),
    check(
      "topups_amounts",
      sql`${table.amountMinor} > ${table.feeMinor} and ${table.feeMinor} >= 0 and ${table.destinationAmountBase} > 0`,
    ),
    check("topups_sent", sql`(${table.step} = 'sent') = (${table.txHash} is not null and ${table.completedAt} is not null)`),
    check("topups_failed", sql`(${table.status} = 'failed') = (${table.failureReason} is not null)`),
    check(
      "topups_due_where_we_act",
      sql`(${table.dueAt} is not null) = (${table.step} = 'collecting' and ${table.ambiguousSince} is null)`,
    ),
  ],
);

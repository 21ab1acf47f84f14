import { sql } from "drizzle-orm";
import { check, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits } from "#db/columns.ts";
import { ACCOUNT_TYPES } from "#domain/fiat.ts";
import { WITHDRAWAL_STEPS } from "#domain/withdrawal.ts";
import { members } from "./members.ts";
import { orderColumns } from "./order-columns.ts";

/** Crypto out of a Safe, fiat to a person (contract, part 6). While it `holds_pool`, the row is the pool's reservation. */
export const withdrawals = pgTable(
  "withdrawals",
  {
    ...orderColumns(),
    /** null: out of the partner's own Safe. */
    memberId: uuid().references(() => members.id),
    externalUserId: text(),
    step: text({ enum: WITHDRAWAL_STEPS }).notNull(),
    sourceAmountBase: baseUnits().notNull(),
    sourceCurrency: text().notNull(),
    safeAddress: text().notNull(),
    treasuryAddress: text(),
    destinationType: text({ enum: ACCOUNT_TYPES }).notNull(),
    destinationAccount: text().notNull(),
    destinationName: text().notNull(),
    returnTxHash: text(),
  },
  (table) => [
    unique("withdrawals_external_id").on(table.partnerId, table.externalId),
    index("withdrawals_newest").on(table.partnerId, table.createdAt, table.id),
    index("withdrawals_newest_of_all").on(table.createdAt, table.id),
    index("withdrawals_of_member").on(table.memberId, table.createdAt, table.id),
    index("withdrawals_ambiguous").on(table.ambiguousSince).where(sql`ambiguous_since is not null`),
    index("withdrawals_due").on(table.dueAt).where(sql`due_at is not null`),
    index("withdrawals_reserved").on(table.currency).where(sql`step in ('reserved', 'sweeping', 'paying_out')`),
    index("withdrawals_of_safe").on(table.chain, sql`lower(${table.safeAddress})`).where(sql`step in ('reserved', 'sweeping')`),
    check(
      "withdrawals_legal_pair",
      sql`(${table.status}, ${table.step}) in (
        ('pending', 'reserved'), ('processing', 'sweeping'), ('processing', 'paying_out'), ('processing', 'returning'),
        ('completed', 'paid'), ('failed', 'released'), ('failed', 'returned'), ('failed', 'unreturned'))`,
    ),
    check("withdrawals_amounts", sql`${table.amountMinor} > 0 and ${table.feeMinor} >= 0 and ${table.sourceAmountBase} > 0`),
    check("withdrawals_member", sql`(${table.memberId} is null) = (${table.externalUserId} is null)`),
    check("withdrawals_swept", sql`(${table.step} in ('reserved', 'sweeping', 'released')) = (${table.txHash} is null)`),
    check("withdrawals_returned", sql`(${table.step} = 'returned') = (${table.returnTxHash} is not null)`),
    check("withdrawals_completed", sql`(${table.step} = 'paid') = (${table.completedAt} is not null)`),
    check(
      "withdrawals_failed",
      sql`(${table.step} in ('returning', 'released', 'returned', 'unreturned')) = (${table.failureReason} is not null)`,
    ),
    check(
      "withdrawals_due_where_we_act",
      sql`(${table.dueAt} is not null) = (${table.step} = 'reserved' or ${table.step} = 'paying_out' and ${table.ambiguousSince} is null)`,
    ),
  ],
);

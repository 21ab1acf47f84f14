import { sql } from "drizzle-orm";
import { check, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { TREASURY_WITHDRAWAL_STATES } from "#domain/treasury-withdrawal.ts";
import { users } from "./people.ts";

/**
 * Crypto that the operator takes out of its own wallets. What is taken, from where and whereto never changes, by trigger. A row becomes `owed`
 * only with the signatures of two people, and only a function of the database makes its transfer.
 */
export const treasuryWithdrawals = pgTable(
  "treasury_withdrawals",
  {
    id: text().primaryKey(),
    chain: text().notNull(),
    walletAddress: text().notNull(),
    currency: text().notNull(),
    tokenAddress: text(),
    tokenDecimals: smallint().notNull(),
    amountBase: baseUnits().notNull(),
    recipient: text().notNull(),
    reason: text().notNull(),
    state: text({ enum: TREASURY_WITHDRAWAL_STATES }).notNull(),
    proposedBy: uuid()
      .notNull()
      .references(() => users.id),
    /** Business time, as below. */
    proposedAt: instant().notNull(),
    decidedAt: instant(),
    decidedBy: uuid().references(() => users.id),
    txHash: text(),
    failureReason: text(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    check("treasury_withdrawals_amount", sql`${table.amountBase} > 0`),
    check("treasury_withdrawals_state", sql`${table.state} in ('proposed', 'owed', 'paid', 'unpaid', 'rejected')`),
    check(
      "treasury_withdrawals_decided",
      sql`(${table.state} = 'proposed') = (${table.decidedAt} is null) and (${table.state} = 'proposed') = (${table.decidedBy} is null)`,
    ),
    check(
      "treasury_withdrawals_ended",
      sql`(${table.state} = 'paid') = (${table.txHash} is not null) and (${table.state} = 'unpaid') = (${table.failureReason} is not null)`,
    ),
  ],
);

import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits, exactDecimal, instant, leaseColumns, minorUnits, priceColumns } from "#db/columns.ts";
import { ACCOUNT_TYPES, FIAT_STATUSES, FIRST_PROVIDER } from "#domain/fiat.ts";
import type { Metadata } from "#domain/metadata.ts";
import { TOPUP_STEPS } from "#domain/topup.ts";
import { WITHDRAWAL_STEPS } from "#domain/withdrawal.ts";
import { apiKeys } from "./api-keys.ts";
import { members } from "./members.ts";
import { partners } from "./partners.ts";
import { pairTerms } from "./rates.ts";

/** The common columns of top-ups and withdrawals (`OrderFacts`), and the worker's own. */
export const orderColumns = () => ({
  id: text().primaryKey(),
  partnerId: uuid()
    .notNull()
    .references(() => partners.id),
  apiKeyId: uuid()
    .notNull()
    .references(() => apiKeys.id),
  externalId: text().notNull(),
  /** What the wire shows; follows from the step. */
  status: text({ enum: FIAT_STATUSES }).notNull(),
  amountMinor: minorUnits().notNull(),
  feeMinor: minorUnits().notNull(),
  currency: text().notNull(),
  chain: text().notNull(),
  tokenAddress: text(),
  tokenDecimals: smallint().notNull(),
  ...priceColumns(() => pairTerms.id),
  chargeFeePercentage: exactDecimal().notNull(),
  callbackUrl: text(),
  /** The name of the provider that it began with. The default is for the version before, which writes none. */
  provider: text().notNull().default(FIRST_PROVIDER),
  /** The `traceparent` of the request that created it; null: it was not traced, or the previous version stored it. */
  trace: text(),
  /** The partner's own notes, for nothing of ours; null: none. */
  metadata: jsonb().$type<Metadata>(),
  providerReference: text(),
  txHash: text(),
  failureReason: text(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  completedAt: instant(),
  /** When its partner cancelled it, before anything had moved. */
  cancelledAt: instant(),
  ...workColumns(),
});

const workColumns = () => ({
  /** Why it does not move on just now: for operators; null while it moves. */
  waitingReason: text(),
  /** Business time: when the provider first took the order; null before. */
  acceptedAt: instant(),
  /** Business time: when it was first given to the provider, written before it is: from then on the provider may have it. */
  givenAt: instant(),
  /** Business time since which it is an operator's case: the provider's outcome is unknown, or it was paid too late. */
  ambiguousSince: instant(),
  /** How often the provider was asked without a final answer: determines the delays. */
  tries: integer().notNull(),
  /** Business time: when this worker has to do something for it; null while it waits for the chain, and at its end. */
  dueAt: instant(),
  ...leaseColumns(),
});

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
    /** Business time: until when it can be paid. null: stored by the version before, which set none. */
    expiresAt: instant(),
    /** Business time: when it was ended because nobody had paid. */
    expiredAt: instant(),
    /** Business time at which the provider reported the late payment. While an operator has to act, `ambiguous_since` is set too. */
    latePaidAt: instant(),
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

/** A payee's account as it is counted and compared: only letters and digits (`destinationKey`). Indexed. */
export function payeeKey(account: SQLWrapper): SQL {
  return sql`regexp_replace(lower(${account}), '[^[:alnum:]]', '', 'g')`;
}

/** Crypto out of a Safe, fiat to a person (contract, part 6). While it `holds_pool`, the row is the pool's reservation. */
export const withdrawals = pgTable(
  "withdrawals",
  {
    ...orderColumns(),
    /** null: out of the partner's own Safe. */
    memberId: uuid().references(() => members.id),
    externalUserId: text(),
    step: text({ enum: WITHDRAWAL_STEPS }).notNull(),
    /** Business time: when an owner of its partner said yes to its payee, and who. The payee is then known to that partner. */
    payeeApprovedAt: instant(),
    payeeApprovedBy: uuid(),
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
    index("withdrawals_of_payee")
      .on(table.partnerId, payeeKey(table.destinationAccount), table.completedAt)
      .where(sql`completed_at is not null`),
    index("withdrawals_of_approved_payee")
      .on(table.partnerId, payeeKey(table.destinationAccount))
      .where(sql`payee_approved_at is not null`),
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

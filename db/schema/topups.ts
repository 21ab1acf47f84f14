import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits, exactDecimal, instant, minorUnits } from "#db/columns.ts";
import { ACCOUNT_TYPES, FIAT_STATUSES } from "#domain/fiat.ts";
import { TOPUP_STEPS } from "#domain/topup.ts";
import { apiKeys } from "./api-keys.ts";
import { members } from "./members.ts";
import { pairTerms } from "./pair-terms.ts";
import { partners } from "./partners.ts";

/** Fiat from a member, crypto to its wallet (contract, part 6). */
export const topups = pgTable(
  "topups",
  {
    id: text().primaryKey(),
    partnerId: uuid()
      .notNull()
      .references(() => partners.id),
    apiKeyId: uuid()
      .notNull()
      .references(() => apiKeys.id),
    externalId: text().notNull(),
    memberId: uuid()
      .notNull()
      .references(() => members.id),
    externalUserId: text().notNull(),
    /** What the wire shows; follows from the step. */
    status: text({ enum: FIAT_STATUSES }).notNull(),
    step: text({ enum: TOPUP_STEPS }).notNull(),
    amountMinor: minorUnits().notNull(),
    feeMinor: minorUnits().notNull(),
    currency: text().notNull(),
    destinationAmountBase: baseUnits().notNull(),
    destinationCurrency: text().notNull(),
    chain: text().notNull(),
    tokenAddress: text(),
    tokenDecimals: smallint().notNull(),
    walletAddress: text().notNull(),
    sourceType: text({ enum: ACCOUNT_TYPES }).notNull(),
    sourceAccount: text().notNull(),
    paymentReference: text().notNull(),
    paymentInstructions: text().notNull(),

    exchangeRate: exactDecimal().notNull(),
    midRate: exactDecimal().notNull(),
    spreadBps: integer().notNull(),
    rateSource: text().notNull(),
    rateAsOf: instant().notNull(),
    pairTermsId: text()
      .notNull()
      .references(() => pairTerms.id),
    chargeFeePercentage: exactDecimal().notNull(),

    callbackUrl: text(),
    providerReference: text(),
    txHash: text(),
    failureReason: text(),
    /** Why it does not move on just now: for operators; null while it moves. */
    waitingReason: text(),
    /** Business time: when the provider first took the order; null before. */
    acceptedAt: instant(),
    /** Business time: when it was first given to the provider, written before it is: from then on the provider may have it. */
    givenAt: instant(),
    /** Business time: since when nobody can tell whether the provider has it. An operator's case: nothing is done for it meanwhile. */
    ambiguousSince: instant(),
    /** How often the provider was spoken to about it without an end: sets the pauses. */
    tries: integer().notNull(),
    /** Business time: when this worker has to do something for it; null while it waits for the chain, and at its end. */
    dueAt: instant(),
    /** Real time. */
    leaseUntil: instant(),
    leaseToken: uuid(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    completedAt: instant(),
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

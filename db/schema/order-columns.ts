import { integer, smallint, text, uuid } from "drizzle-orm/pg-core";
import { exactDecimal, instant, leaseColumns, minorUnits, priceColumns } from "#db/columns.ts";
import { FIAT_STATUSES } from "#domain/fiat.ts";
import { apiKeys } from "./api-keys.ts";
import { pairTerms } from "./pair-terms.ts";
import { partners } from "./partners.ts";

/** What a top-up and a withdrawal have in common (`OrderFacts`), and what the worker keeps beside it. */
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
  providerReference: text(),
  txHash: text(),
  failureReason: text(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  completedAt: instant(),
  ...workColumns(),
});

const workColumns = () => ({
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
  ...leaseColumns(),
});

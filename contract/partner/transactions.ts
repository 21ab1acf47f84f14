import { z } from "zod";
import { exactNumber, instant, instantOrNull, instantParameter, reference, timestamp, wholeNumber } from "#contract/primitives.ts";
import { baseToDecimal } from "#domain/money.ts";
import { type MoneySide, type PartnerTransaction, TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#domain/transaction.ts";

const side = {
  currency: z.string(),
  amount: z.number().describe("Fiat in minor units, crypto in units"),
};

/** A settlement, withdrawal or top-up as the list of all of them shows it. */
export const transactionSchema = z.object({
  type: z.enum(TRANSACTION_TYPES),
  id: z.string(),
  partner_id: z.uuid(),
  external_id: z.string().nullable().describe("A settlement's external_tx_id, a withdrawal's or top-up's external_id"),
  status: z.enum(TRANSACTION_STATUSES),
  source_currency: side.currency,
  source_amount: side.amount,
  destination_currency: side.currency,
  destination_amount: side.amount,
  exchange_rate: z.number().describe("Destination units per one unit of the source; of fiat the major unit"),
  fee: z.number().describe("A settlement's platform fee, a withdrawal's or top-up's charge fee; fiat in minor units, crypto in units"),
  fee_currency: z.string(),
  chain: z.string(),
  tx_hash: z.string().nullable(),
  failure_reason: z.string().nullable(),
  created_at: timestamp,
  completed_at: timestamp.nullable(),
});

export const transactionListResponseSchema = z.object({
  items: z.array(transactionSchema),
  total: z.int(),
  skip: z.int(),
  limit: z.int(),
});

export const transactionQuery = z.strictObject({
  type: z.enum(TRANSACTION_TYPES).optional(),
  status: z.enum(TRANSACTION_STATUSES).optional(),
  external_id: reference.optional(),
  partner_id: z.uuid().optional().describe("Only this partner's; for the operator, who sees everybody's"),
  created_from: instantParameter.optional().describe("Inclusive"),
  created_to: instantParameter.optional().describe("Exclusive"),
  skip: wholeNumber(0, 1_000_000).optional().describe("0 when left out"),
  limit: wholeNumber(1, 100).optional().describe("25 when left out"),
});

export function renderTransaction(transaction: PartnerTransaction): z.infer<typeof transactionSchema> {
  return {
    type: transaction.type,
    id: transaction.id,
    partner_id: transaction.partnerId,
    external_id: transaction.externalId,
    status: transaction.status,
    source_currency: transaction.source.currency,
    source_amount: amountOf(transaction.source),
    destination_currency: transaction.destination.currency,
    destination_amount: amountOf(transaction.destination),
    exchange_rate: exactNumber(transaction.exchangeRate),
    fee: amountOf(transaction.fee),
    fee_currency: transaction.fee.currency,
    chain: transaction.chain,
    tx_hash: transaction.txHash,
    failure_reason: transaction.failureReason,
    created_at: instant(transaction.createdAt),
    completed_at: instantOrNull(transaction.completedAt),
  };
}

/** Fiat has no decimals on the wire: its amounts are whole minor units. */
function amountOf({ units, decimals }: MoneySide): number {
  return exactNumber(baseToDecimal(units, decimals));
}

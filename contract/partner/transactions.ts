import { z } from "zod";
import { exactAmount, exactNumber, instantParameter, reference, timestamp } from "#contract/primitives.ts";
import { chainShown, createdAt, createdFrom, createdTo } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import { baseToDecimal } from "#domain/money.ts";
import { type MoneySide, type PartnerTransaction, TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#domain/transaction.ts";
import { cursor, page } from "./manners.ts";

const TYPE = "A settlement or top-up turns fiat into crypto, a withdrawal crypto into fiat";
const side = (role: string) => ({
  currency: z.string().describe(`The currency ${role}: ISO 4217 code of fiat, symbol of a token`),
  amount: exactAmount(`What is ${role}: fiat in minor units, crypto in units`),
});
const [source, destination] = [side("paid in"), side("paid out")];

/** A settlement, withdrawal or top-up as the list of all of them shows it. */
export const transactionSchema = z.object({
  type: z.enum(TRANSACTION_TYPES).describe(TYPE),
  id: z.string().describe("A settlement's tx_…, a withdrawal's wd_…, a top-up's tu_…"),
  partner_id: z.uuid().describe("The partner whose transaction it is"),
  external_id: z
    .string()
    .nullable()
    .describe("A settlement's external_tx_id, null until it is confirmed; a withdrawal's or top-up's external_id"),
  status: z.enum(TRANSACTION_STATUSES).describe("How far it has come, in the statuses of its type"),
  source_currency: source.currency,
  source_amount: source.amount,
  destination_currency: destination.currency,
  destination_amount: destination.amount,
  exchange_rate: exactAmount(
    "Units of destination_currency per unit of source_currency; of fiat the major unit. 0.0077 for KES to USDT, 129.2 for USDT to KES",
  ),
  fee: exactAmount("A settlement's platform fee, a withdrawal's or top-up's charge fee; fiat in minor units, crypto in units"),
  fee_currency: z.string().describe("The currency of fee: a settlement's is crypto, a withdrawal's or top-up's fiat"),
  chain: chainShown,
  tx_hash: z.string().nullable().describe("The transfer on the chain; null until it is final"),
  failure_reason: z.string().nullable().describe("Why it failed, in words; null as long as nothing has failed"),
  created_at: createdAt,
  completed_at: timestamp.nullable().describe("When it was executed or completed; null: it is not"),
});

export const transactionListResponseSchema = z.object({
  items: z.array(transactionSchema).describe("A page of transactions, newest first"),
  total: z.int().describe("How many there are in all, under the same filters"),
  skip: z.int().describe("How many were passed over before this page"),
  limit: z.int().describe("How many this page holds at most"),
  next_cursor: z.string().nullable().describe("The cursor of the next page; null: this is the last"),
});

export const transactionQuery = z.strictObject({
  type: z.enum(TRANSACTION_TYPES).optional().describe("Only those of this type"),
  status: z.enum(TRANSACTION_STATUSES).optional().describe("Only those of this status"),
  external_id: reference.optional().describe("Only those with this external_id"),
  partner_id: z.uuid().optional().describe("Only this partner's; for the operator, who sees everybody's"),
  created_from: instantParameter.optional().describe(createdFrom),
  created_to: instantParameter.optional().describe(createdTo),
  ...page,
  cursor,
});

export function renderTransaction(transaction: PartnerTransaction): z.infer<typeof transactionSchema> {
  return {
    ...toWire(transaction, "type", "id", "partnerId", "externalId", "status"),
    source_currency: transaction.source.currency,
    source_amount: amountOf(transaction.source),
    destination_currency: transaction.destination.currency,
    destination_amount: amountOf(transaction.destination),
    exchange_rate: exactNumber(transaction.exchangeRate),
    fee: amountOf(transaction.fee),
    fee_currency: transaction.fee.currency,
    ...toWire(transaction, "chain", "txHash", "failureReason", "createdAt", "completedAt"),
  };
}

/** Fiat has no decimals on the wire: its amounts are whole minor units. */
function amountOf({ units, decimals }: MoneySide): number {
  return exactNumber(baseToDecimal(units, decimals));
}

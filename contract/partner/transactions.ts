import { z } from "zod";
import { rateUnit, renderRateUnit } from "#contract/metadata.ts";
import { exactAmount, exactNumber, instantParameter, reference, timestamp } from "#contract/primitives.ts";
import { chainShown, createdAt, createdFrom, createdTo } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import { baseToDecimal } from "#domain/money.ts";
import { type MoneySide, type PartnerTransaction, TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#domain/transaction.ts";
import { cursor, page } from "./manners.ts";

const TYPE = "The type of transaction. A settlement or top-up turns fiat into crypto, a withdrawal turns crypto into fiat";
const side = (role: string) => ({
  currency: z.string().describe(`The currency that is ${role}: an ISO 4217 code for fiat, a symbol for crypto`),
  amount: exactAmount(`The amount that is ${role}. Fiat is in minor units, crypto in units`),
});
const [source, destination] = [side("paid in"), side("paid out")];

/** A settlement, withdrawal or top-up as the list of all of them shows it. */
export const transactionSchema = z.object({
  type: z.enum(TRANSACTION_TYPES).describe(TYPE),
  id: z.string().describe("The id. It begins with tx_ for a settlement, wd_ for a withdrawal and tu_ for a top-up"),
  partner_id: z.uuid().describe("The id of the partner that the transaction belongs to"),
  external_id: z
    .string()
    .nullable()
    .describe(
      "Your own reference: external_tx_id of a settlement, external_id of a withdrawal or top-up. Null for a settlement that is not confirmed",
    ),
  status: z.enum(TRANSACTION_STATUSES).describe("The status. Each type has its own statuses"),
  source_currency: source.currency,
  source_amount: source.amount,
  destination_currency: destination.currency,
  destination_amount: destination.amount,
  exchange_rate: exactAmount(
    "Units of destination_currency for one unit of source_currency, such as 0.0077 for KES to USDT and 129.2 for USDT to KES. For fiat, the unit is the major unit",
  ),
  rate_unit: rateUnit,
  fee: exactAmount(
    "The platform fee of a settlement, or the charge fee of a withdrawal or top-up. Fiat is in minor units, crypto in units",
  ),
  fee_currency: z.string().describe("The currency of fee. It is crypto for a settlement, and fiat for a withdrawal or top-up"),
  chain: chainShown,
  tx_hash: z.string().nullable().describe("The hash of the transfer's transaction. Null until the transfer is final on the chain"),
  failure_reason: z.string().nullable().describe("Why it failed, in one sentence. Null unless it failed"),
  created_at: createdAt,
  completed_at: timestamp.nullable().describe("When it was executed or completed. Null until then"),
});

export const transactionListResponseSchema = z.object({
  items: z.array(transactionSchema).describe("A page of transactions, newest first"),
  total: z.int().describe("The number of transactions in all, with the same filters"),
  skip: z.int().describe("The number of transactions skipped before this page"),
  limit: z.int().describe("The most transactions on this page"),
  next_cursor: z.string().nullable().describe("The cursor of the next page. Null on the last page"),
});

export const transactionQuery = z.strictObject({
  type: z.enum(TRANSACTION_TYPES).optional().describe("Return only transactions of this type"),
  status: z.enum(TRANSACTION_STATUSES).optional().describe("Return only transactions with this status"),
  external_id: reference.optional().describe("Return only transactions with this external_id"),
  partner_id: z.uuid().optional().describe("Return only transactions of this partner. For the operator, who sees all partners"),
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
    rate_unit: renderRateUnit(transaction.destination.currency, transaction.source.currency),
    fee: amountOf(transaction.fee),
    fee_currency: transaction.fee.currency,
    ...toWire(transaction, "chain", "txHash", "failureReason", "createdAt", "completedAt"),
  };
}

/** Fiat has no decimals on the wire: its amounts are whole minor units. */
function amountOf({ units, decimals }: MoneySide): number {
  return exactNumber(baseToDecimal(units, decimals));
}

import { z } from "zod";
import { jsonDecimal } from "#contract/json-number.ts";
import { metadata } from "#contract/metadata.ts";
import {
  callbackUrl,
  caip2 as chain,
  instantParameter,
  minorAmount,
  plainText,
  reference,
  sayingReference,
  wholeNumber,
} from "#contract/primitives.ts";
import { createdFrom, createdTo, settlementId } from "#contract/shared-fields.ts";
import { APPROVAL_STATES, SETTLEMENT_STATUSES } from "#domain/settlement.ts";

/** Which currencies, and in which direction. */
const pair = {
  source_currency: plainText(1, 16).describe("The fiat currency that you collect, as an ISO 4217 code such as KES"),
  destination_currency: plainText(1, 16).describe("The symbol of the token that the wallet receives, such as USDT"),
};
const named = plainText(1, 64).describe(settlementId.description ?? "");

/** Specification, part 4; all but `callback_url` required (contract, part 2). */
export const createBody = z.strictObject({
  source_amount: minorAmount.describe("The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES"),
  ...pair,
  external_merchant_id: sayingReference.describe("Your own id for the merchant that is paid"),
  chain,
  wallet_address: plainText(1, 128).describe(
    "The merchant's wallet on the chain. The crypto is sent to it. 0x and 40 hex digits on EVM and Tempo, base 58 on Solana and Tron",
  ),
  callback_url: callbackUrl
    .optional()
    .describe(
      "An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the callback of an approval, and the final callback unless you give another URL at confirmation",
    ),
  metadata: metadata.optional(),
});

const confirmFields = {
  external_tx_id: reference.describe("Your own reference, unique among your settlements"),
  callback_url: callbackUrl
    .optional()
    .describe(
      "An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the final callback. Required unless you gave one at creation",
    ),
  expected_destination_amount: jsonDecimal
    .optional()
    .describe(
      "The destination_amount that you expect, in units of destination_currency. If the quote offers another amount, the request is refused with quote_changed",
    ),
};
export const confirmBody = z.strictObject({ tx_id: named, ...confirmFields });
export const confirmOneBody = z.strictObject({
  tx_id: named.optional().describe("Optional. If given, it must equal the id in the path"),
  ...confirmFields,
});
export type ConfirmBody = z.infer<typeof confirmOneBody>;

export const cancelBody = z.strictObject({ tx_id: named });
/** `tx_id` is in the path; the body is empty or `{}`. */
export const cancelOneBody = z.strictObject({});

function isStatus(text: string): boolean {
  return (SETTLEMENT_STATUSES as readonly string[]).includes(text);
}

export const listQuery = z.strictObject({
  status: z.enum(SETTLEMENT_STATUSES).optional().describe("Return only settlements with this status"),
  statuses: plainText(1, 64)
    .refine((text) => text.split(",").every(isStatus), { error: `must be some of ${SETTLEMENT_STATUSES.join(", ")}, separated by commas` })
    .optional()
    .describe("Return only settlements with one of these statuses, separated by commas, such as executed,failed"),
  approval_state: z.enum(APPROVAL_STATES).optional().describe("Return only settlements with this approval state"),
  batch_id: reference.optional().describe("Return only the items of this batch"),
  external_tx_id: reference.optional().describe("Return only the settlement with this reference"),
  external_merchant_id: reference.optional().describe("Return only settlements of this merchant"),
  chain: chain.optional().describe("Return only settlements on this blockchain network, given as a CAIP-2 id"),
  wallet_address: plainText(1, 128).optional().describe("Return only settlements to this wallet. Upper and lower case are the same"),
  tx_hash: plainText(1, 128).optional().describe("Return only settlements that this transaction paid"),
  created_from: instantParameter.optional().describe(createdFrom),
  created_to: instantParameter.optional().describe(createdTo),
  updated_from: instantParameter.optional().describe("Return only settlements whose updated_at is at this instant or later"),
  updated_to: instantParameter.optional().describe("Return only settlements whose updated_at is before this instant"),
  limit: wholeNumber(1, 100).optional().describe("The most items to return, 1 to 100. The default is 25"),
  cursor: plainText(1, 256).optional().describe("The next_cursor of the previous page"),
});
export type ListQuery = z.infer<typeof listQuery>;

export const previewQuery = z.strictObject({
  ...pair,
  chain,
  source_amount: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("The amount to price, in minor units of source_currency. Without it, the answer has only the rate and the fee"),
  wallet_address: plainText(1, 128).optional().describe("A wallet on the chain. With it, the answer has network_cost"),
});

import { z } from "zod";
import { jsonDecimal } from "#contract/json-number.ts";
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
  source_currency: plainText(1, 16).describe("Fiat that is paid in, ISO 4217"),
  destination_currency: plainText(1, 16).describe("Symbol of the token that is paid out"),
};
const named = plainText(1, 64).describe(settlementId.description ?? "");

/** Specification, part 4; all but `callback_url` required (contract, part 2). */
export const createBody = z.strictObject({
  source_amount: minorAmount.describe("Minor units of the source currency"),
  ...pair,
  external_merchant_id: sayingReference.describe("The partner's own name for the merchant who is paid"),
  chain,
  wallet_address: plainText(1, 128).describe("The merchant's wallet on the chain, where the crypto goes"),
  callback_url: callbackUrl
    .optional()
    .describe(
      "An absolute https URL of a public host: receives the approval callback, and the terminal one unless confirmation gives another",
    ),
});

const confirmFields = {
  external_tx_id: reference.describe("The partner's reference, unique among its settlements"),
  callback_url: callbackUrl.optional().describe("Receives the terminal callback; required unless one was given at creation"),
  expected_destination_amount: jsonDecimal.optional().describe("Refused with quote_changed when the quote offers another amount"),
};
export const confirmBody = z.strictObject({ tx_id: named, ...confirmFields });
export const confirmOneBody = z.strictObject({
  tx_id: named.optional().describe("The id in the path, when it is given"),
  ...confirmFields,
});
export type ConfirmBody = z.infer<typeof confirmOneBody>;

export const cancelBody = z.strictObject({ tx_id: named });
/** `tx_id` is in the path; the body is empty or `{}`. */
export const cancelOneBody = z.strictObject({});

export const listQuery = z.strictObject({
  status: z.enum(SETTLEMENT_STATUSES).optional().describe("Only those of this status"),
  approval_state: z.enum(APPROVAL_STATES).optional().describe("Only those of this approval state"),
  batch_id: reference.optional().describe("Only the items of this batch"),
  external_tx_id: reference.optional().describe("Only the one with this reference"),
  external_merchant_id: reference.optional().describe("Only those of this merchant"),
  chain: chain.optional().describe("Only those paid on this network, CAIP-2"),
  created_from: instantParameter.optional().describe(createdFrom),
  created_to: instantParameter.optional().describe(createdTo),
  limit: wholeNumber(1, 100).optional().describe("How many at most; 25 when left out"),
  cursor: plainText(1, 256).optional().describe("The next_cursor of the page before"),
});
export type ListQuery = z.infer<typeof listQuery>;

export const previewQuery = z.strictObject({
  ...pair,
  chain,
  source_amount: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("Minor units of the source currency; left out: the rate and the fee alone are answered"),
});

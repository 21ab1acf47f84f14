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
import { APPROVAL_STATES, SETTLEMENT_STATUSES } from "#domain/settlement.ts";

/** Specification, part 4; all but `callback_url` required (contract, part 2). */
export const createBody = z.strictObject({
  source_amount: minorAmount.describe("Minor units of the source currency"),
  source_currency: plainText(1, 16).describe("ISO 4217"),
  destination_currency: plainText(1, 16),
  external_merchant_id: sayingReference,
  chain,
  wallet_address: plainText(1, 128),
  callback_url: callbackUrl.optional(),
});

const confirmFields = {
  external_tx_id: reference.describe("The partner's reference, unique among its settlements"),
  callback_url: callbackUrl.optional().describe("Receives the terminal callback; required unless one was given at creation"),
  expected_destination_amount: jsonDecimal.optional().describe("Refused with quote_changed when the quote offers another amount"),
};
export const confirmBody = z.strictObject({ tx_id: plainText(1, 64), ...confirmFields });
export const confirmOneBody = z.strictObject({ tx_id: plainText(1, 64).optional(), ...confirmFields });
export type ConfirmBody = z.infer<typeof confirmOneBody>;

export const cancelBody = z.strictObject({ tx_id: plainText(1, 64) });
/** `tx_id` is in the path; the body is empty or `{}`. */
export const cancelOneBody = z.strictObject({});

export const listQuery = z.strictObject({
  status: z.enum(SETTLEMENT_STATUSES).optional(),
  approval_state: z.enum(APPROVAL_STATES).optional(),
  external_tx_id: reference.optional(),
  external_merchant_id: reference.optional(),
  chain: chain.optional(),
  created_from: instantParameter.optional().describe("Inclusive"),
  created_to: instantParameter.optional().describe("Exclusive"),
  limit: wholeNumber(1, 100).optional().describe("25 when left out"),
  cursor: plainText(1, 256).optional().describe("The next_cursor of the page before"),
});
export type ListQuery = z.infer<typeof listQuery>;

export const previewQuery = z.strictObject({
  source_currency: plainText(1, 16),
  destination_currency: plainText(1, 16),
  chain,
  source_amount: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().describe("Minor units of the source currency"),
});

import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { settlementId } from "#contract/shared-fields.ts";
import { callbackListSchema, callbackSchema } from "./callbacks.ts";
import { pairListSchema, previewSchema } from "./pricing.ts";
import { cancelBody, cancelOneBody, confirmBody, confirmOneBody, createBody, listQuery, previewQuery } from "./requests.ts";
import { settlementSchema } from "./settlement.ts";

/** The settlement surface, operation by operation (specification, part 4; contract, part 2). Every request is signed. */

const oneSettlement = z.strictObject({ tx_id: settlementId });
const oneCallback = oneSettlement.extend({ callback_id: z.string().describe("The callback's id. It begins with cb_") });
const read = { method: "GET", caller: "signed", scope: "settlements:read", kind: "read" } as const;
const write = { method: "POST", caller: "signed", scope: "settlements:write", kind: "write" } as const;

const CONFIRM_REFUSALS = [
  "settlement_not_found",
  "batch_member",
  "external_tx_id_conflict",
  "invalid_state",
  "approval_pending",
  "quote_expired",
  "quote_changed",
  "invalid_wallet_address",
  "callback_url_not_allowed",
] as const;

export const createSettlementOperation = defineOperation({
  ...write,
  id: "create_settlement",
  summary: "Create a settlement and get its quote",
  path: "/api/v1/settlements",
  body: createBody,
  result: settlementSchema,
  status: 201,
  resultHeaders: { Location: "The settlement's path" },
  refusals: [
    "unsupported_pair",
    "unsupported_chain",
    "invalid_wallet_address",
    "amount_too_small",
    "amount_too_large",
    "callback_url_not_allowed",
    "rate_unavailable",
    "liquidity_unavailable",
  ],
});

export const confirmSettlementOperation = defineOperation({
  ...write,
  id: "confirm_settlement",
  summary: "Confirm a quote. The body names the settlement",
  path: "/api/v1/settlements/confirm",
  body: confirmBody,
  result: settlementSchema,
  refusals: CONFIRM_REFUSALS,
});

export const confirmOneSettlementOperation = defineOperation({
  ...write,
  id: "confirm_one_settlement",
  summary: "Confirm a quote. The path names the settlement",
  path: "/api/v1/settlements/{tx_id}/confirm",
  params: oneSettlement,
  body: confirmOneBody,
  result: settlementSchema,
  refusals: CONFIRM_REFUSALS,
});

export const cancelSettlementOperation = defineOperation({
  ...write,
  id: "cancel_settlement",
  summary: "Cancel a settlement that the body names",
  path: "/api/v1/settlements/cancel",
  body: cancelBody,
  result: settlementSchema,
  refusals: ["settlement_not_found", "batch_member", "invalid_state"],
});

export const cancelOneSettlementOperation = defineOperation({
  ...write,
  id: "cancel_one_settlement",
  summary: "Cancel a settlement that the path names",
  path: "/api/v1/settlements/{tx_id}/cancel",
  params: oneSettlement,
  body: cancelOneBody,
  bodyRequired: false,
  result: settlementSchema,
  refusals: ["settlement_not_found", "batch_member", "invalid_state"],
});

export const getSettlementOperation = defineOperation({
  ...read,
  id: "get_settlement",
  summary: "Get a settlement with its undelivered callbacks",
  path: "/api/v1/settlements/{tx_id}",
  params: oneSettlement,
  result: settlementSchema,
  refusals: ["settlement_not_found"],
});

export const listSettlementsOperation = defineOperation({
  ...read,
  id: "list_settlements",
  summary: "List settlements, newest first",
  path: "/api/v1/settlements",
  query: listQuery,
  result: z.object({
    data: z.array(settlementSchema).describe("A page of settlements, newest first"),
    next_cursor: z.string().nullable().describe("The cursor of the next page. Null on the last page"),
  }),
});

export const listCallbacksOperation = defineOperation({
  ...read,
  id: "list_callbacks",
  summary: "List a settlement's callbacks with every attempt",
  path: "/api/v1/settlements/{tx_id}/callbacks",
  params: oneSettlement,
  result: callbackListSchema,
  refusals: ["settlement_not_found"],
});

export const resendCallbackOperation = defineOperation({
  ...write,
  id: "resend_callback",
  summary: "Resend a callback, with six new attempts",
  path: "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/resend",
  params: oneCallback,
  result: callbackSchema,
  status: 202,
  refusals: ["settlement_not_found", "callback_not_found", "invalid_state", "callback_url_not_allowed"],
});

export const attemptCallbackOperation = defineOperation({
  ...write,
  id: "attempt_callback",
  summary: "Send a callback once now, in addition to its six attempts",
  path: "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/attempt",
  params: oneCallback,
  result: callbackSchema,
  status: 202,
  refusals: ["settlement_not_found", "callback_not_found"],
});

export const listPairsOperation = defineOperation({
  ...read,
  id: "list_pairs",
  summary: "List the pairs that you can get quotes for",
  path: "/api/v1/pairs",
  result: pairListSchema,
});

export const previewRateOperation = defineOperation({
  ...read,
  id: "preview_rate",
  summary: "Preview a rate. Nothing is stored",
  path: "/api/v1/rates/preview",
  query: previewQuery,
  result: previewSchema,
  refusals: ["unsupported_pair", "unsupported_chain", "invalid_wallet_address", "amount_too_small", "amount_too_large", "rate_unavailable"],
});

import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import {
  poolSchema,
  providerCallbackSchema,
  providerReceiptSchema,
  topupPreviewQuery,
  topupPreviewSchema,
  topupRequestCreateSchema,
  topupRequestResponseSchema,
  withdrawCreateSchema,
  withdrawPartnerCreateSchema,
  withdrawPartnerResponseSchema,
  withdrawPreviewQuery,
  withdrawPreviewSchema,
  withdrawRequestResponseSchema,
} from "./fiat.ts";
import { READ, WRITE } from "./manners.ts";

const withdrawalById = z.strictObject({ id: z.string().describe("The withdrawal's id. It begins with wd_") });
const topupById = z.strictObject({ id: z.string().describe("The top-up's id. It begins with tu_") });
const create = {
  ...WRITE,
  method: "POST",
  caller: "partner",
  status: 201,
  repeatStatus: 200,
} as const;
const fromProvider = {
  scope: null,
  kind: "write",
  method: "POST",
  caller: "provider",
  body: providerCallbackSchema,
  result: providerReceiptSchema,
  refusals: ["not_found"],
} as const;

const WITHDRAW_REFUSALS = [
  "conflict",
  "unsupported_pair",
  "unsupported_chain",
  "amount_too_small",
  "amount_too_large",
  "callback_url_not_allowed",
  "insufficient_liquidity",
  "insufficient_funds",
  "rate_unavailable",
  "quote_changed",
] as const;

const PREVIEW_REFUSALS = ["unsupported_pair", "unsupported_chain", "amount_too_small", "amount_too_large", "rate_unavailable"] as const;

export const withdrawFiatPreviewOperation = defineOperation({
  ...READ,
  id: "withdraw_fiat_preview",
  summary: "Preview the price of a withdrawal. Nothing is stored",
  path: "/partners/transactions/withdraw-fiat/preview",
  caller: "partner",
  query: withdrawPreviewQuery,
  result: withdrawPreviewSchema,
  refusals: PREVIEW_REFUSALS,
});

export const topupFiatPreviewOperation = defineOperation({
  ...READ,
  id: "topup_fiat_preview",
  summary: "Preview the price of a top-up. Nothing is stored",
  path: "/partners/transactions/topup-fiat/preview",
  caller: "partner",
  query: topupPreviewQuery,
  result: topupPreviewSchema,
  refusals: PREVIEW_REFUSALS,
});

export const withdrawFiatOperation = defineOperation({
  ...create,
  id: "withdraw_fiat",
  summary: "Withdraw Fiat",
  path: "/partners/transactions/withdraw-fiat",
  body: withdrawCreateSchema,
  result: withdrawRequestResponseSchema,
  refusals: WITHDRAW_REFUSALS,
});

export const withdrawFiatForMemberOperation = defineOperation({
  ...create,
  id: "withdraw_fiat_for_registered_member",
  summary: "Withdraw Fiat For Registered Member",
  path: "/partners/transactions/withdraw-fiat/member",
  body: withdrawPartnerCreateSchema,
  result: withdrawPartnerResponseSchema,
  refusals: ["not_found", ...WITHDRAW_REFUSALS],
});

export const getWithdrawFiatPoolInfoOperation = defineOperation({
  ...READ,
  id: "get_withdraw_fiat_pool_info",
  summary: "Get Withdraw Fiat Pool Info",
  path: "/partners/transactions/withdraw-fiat/pool",
  caller: "both",
  result: z.array(poolSchema),
});

export const withdrawFiatStatusOperation = defineOperation({
  ...READ,
  id: "withdraw_fiat_status",
  summary: "Withdraw Fiat Status",
  path: "/partners/transactions/withdraw-fiat/{id}",
  caller: "both",
  params: withdrawalById,
  result: withdrawRequestResponseSchema,
  refusals: ["not_found"],
});

/** A repeat answers 200 as well, with the order as it is. */
const cancel = {
  ...WRITE,
  method: "POST",
  caller: "partner",
  refusals: ["not_found", "invalid_state"],
} as const;

export const withdrawFiatCancelOperation = defineOperation({
  ...cancel,
  id: "withdraw_fiat_cancel",
  summary: "Cancel a withdrawal before its crypto is taken",
  path: "/partners/transactions/withdraw-fiat/{id}/cancel",
  params: withdrawalById,
  result: withdrawRequestResponseSchema,
});

export const topupFiatCancelOperation = defineOperation({
  ...cancel,
  id: "topup_fiat_cancel",
  summary: "Cancel a top-up before the provider is asked to collect",
  path: "/partners/transactions/topup-fiat/{id}/cancel",
  params: topupById,
  result: topupRequestResponseSchema,
});

export const withdrawFiatCallbackOperation = defineOperation({
  ...fromProvider,
  id: "withdraw_fiat_callback",
  summary: "Withdraw Fiat Callback",
  path: "/partners/transactions/withdraw-fiat/callback",
});

export const topupFiatOperation = defineOperation({
  ...create,
  id: "topup_fiat",
  summary: "Topup Fiat",
  path: "/partners/transactions/topup-fiat",
  body: topupRequestCreateSchema,
  result: topupRequestResponseSchema,
  refusals: [
    "not_found",
    "conflict",
    "unsupported_pair",
    "unsupported_chain",
    "amount_too_small",
    "amount_too_large",
    "callback_url_not_allowed",
    "rate_unavailable",
    "quote_changed",
  ],
});

export const topupFiatStatusOperation = defineOperation({
  ...READ,
  id: "topup_fiat_status",
  summary: "Topup Fiat Status",
  path: "/partners/transactions/topup-fiat/{id}",
  caller: "both",
  params: topupById,
  result: topupRequestResponseSchema,
  refusals: ["not_found"],
});

export const topupFiatCallbackOperation = defineOperation({
  ...fromProvider,
  id: "topup_fiat_callback",
  summary: "Topup Fiat Callback",
  path: "/partners/transactions/topup-fiat/callback",
});

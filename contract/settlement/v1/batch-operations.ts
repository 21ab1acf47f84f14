import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import {
  batchId,
  batchListSchema,
  batchSchema,
  changeBatchBody,
  confirmBatchBody,
  createBatchBody,
  estimateBatchBody,
  estimateSchema,
  listBatchesQuery,
  madeBatchSchema,
} from "./batches.ts";

/** Batches, operation by operation (contract, part 11). Every request is signed. */

const oneBatch = z.strictObject({ batch_id: batchId });
const read = { caller: "signed", scope: "settlements:read", kind: "read" } as const;
const write = { method: "POST", caller: "signed", scope: "settlements:write", kind: "write" } as const;

/** The body of 500 items. */
const BODY_LIMIT = 512 * 1_024;

const ITEM_REFUSALS = [
  "unsupported_pair",
  "unsupported_chain",
  "invalid_wallet_address",
  "amount_too_small",
  "amount_too_large",
  "callback_url_not_allowed",
  "rate_unavailable",
  "liquidity_unavailable",
] as const;

export const createBatchOperation = defineOperation({
  ...write,
  id: "create_batch",
  summary: "Create up to 500 settlements together: all of them or none",
  path: "/api/v1/settlement-batches",
  body: createBatchBody,
  bodyLimit: BODY_LIMIT,
  result: madeBatchSchema,
  status: 201,
  repeatStatus: 200,
  resultHeaders: { Location: "The batch's path" },
  refusals: ["external_batch_id_conflict", ...ITEM_REFUSALS],
});

export const estimateBatchOperation = defineOperation({
  ...read,
  method: "POST",
  id: "estimate_batch",
  summary: "Estimate the price of a batch. Nothing is stored",
  path: "/api/v1/settlement-batches/estimate",
  body: estimateBatchBody,
  bodyLimit: BODY_LIMIT,
  result: estimateSchema,
  refusals: ITEM_REFUSALS,
});

const change = { ...write, params: oneBatch, result: batchSchema } as const;

export const confirmBatchOperation = defineOperation({
  ...change,
  id: "confirm_batch",
  summary: "Confirm a batch: all of its items or none",
  path: "/api/v1/settlement-batches/{batch_id}/confirm",
  body: confirmBatchBody,
  bodyRequired: false,
  refusals: [
    "batch_not_found",
    "invalid_state",
    "approval_pending",
    "quote_expired",
    "quote_changed",
    "invalid_wallet_address",
    "callback_url_not_allowed",
  ],
});

export const cancelBatchOperation = defineOperation({
  ...change,
  id: "cancel_batch",
  summary: "Cancel a batch and all of its items",
  path: "/api/v1/settlement-batches/{batch_id}/cancel",
  body: changeBatchBody,
  bodyRequired: false,
  refusals: ["batch_not_found", "invalid_state"],
});

export const requoteBatchOperation = defineOperation({
  ...change,
  id: "requote_batch",
  summary: "Renew every expired quote in a batch",
  path: "/api/v1/settlement-batches/{batch_id}/requote",
  body: changeBatchBody,
  bodyRequired: false,
  refusals: [
    "batch_not_found",
    "invalid_state",
    "unsupported_pair",
    "unsupported_chain",
    "invalid_wallet_address",
    "amount_too_small",
    "amount_too_large",
    "rate_unavailable",
    "liquidity_unavailable",
  ],
});

export const getBatchOperation = defineOperation({
  ...read,
  method: "GET",
  id: "get_batch",
  summary: "Get a batch. To get its items, list settlements by batch_id",
  path: "/api/v1/settlement-batches/{batch_id}",
  params: oneBatch,
  result: batchSchema,
  refusals: ["batch_not_found"],
});

export const listBatchesOperation = defineOperation({
  ...read,
  method: "GET",
  id: "list_batches",
  summary: "List batches, newest first",
  path: "/api/v1/settlement-batches",
  query: listBatchesQuery,
  result: batchListSchema,
});

import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { allCallbacksQuery, anyCallbackListSchema, anyCallbackSchema } from "./callbacks.ts";

/**
 * Callbacks of settlements, batches, withdrawals and top-ups, by one set of operations. A key sees those whose objects its scopes let it
 * read, and resends those whose objects its scopes let it write.
 */

const signed = { caller: "signed", scope: null } as const;
const one = { ...signed, params: z.strictObject({ callback_id: z.string().describe("The callback's id. It begins with cb_") }) } as const;

export const listAllCallbacksOperation = defineOperation({
  ...signed,
  kind: "read",
  id: "list_all_callbacks",
  summary: "List your callbacks, newest first",
  method: "GET",
  path: "/api/v1/callbacks",
  query: allCallbacksQuery,
  result: anyCallbackListSchema,
  refusals: ["scope_missing"],
});

export const getCallbackOperation = defineOperation({
  ...one,
  kind: "read",
  id: "get_callback",
  summary: "Get a callback with every attempt",
  method: "GET",
  path: "/api/v1/callbacks/{callback_id}",
  result: anyCallbackSchema,
  refusals: ["scope_missing", "callback_not_found"],
});

export const resendAnyCallbackOperation = defineOperation({
  ...one,
  kind: "write",
  id: "resend_any_callback",
  summary: "Resend a callback of any object, with six new attempts",
  method: "POST",
  path: "/api/v1/callbacks/{callback_id}/resend",
  result: anyCallbackSchema,
  status: 202,
  refusals: ["scope_missing", "callback_not_found", "invalid_state", "callback_url_not_allowed"],
});

export const attemptAnyCallbackOperation = defineOperation({
  ...one,
  kind: "write",
  id: "attempt_any_callback",
  summary: "Send a callback of any object once now, in addition to its six attempts",
  method: "POST",
  path: "/api/v1/callbacks/{callback_id}/attempt",
  result: anyCallbackSchema,
  status: 202,
  refusals: ["scope_missing", "callback_not_found"],
});

import { z } from "zod";
import { REFUSAL_CODES } from "#domain/refusal.ts";
import { SETTLEMENT_STATUSES } from "#domain/settlement.ts";
import { BATCH_STATUSES } from "#domain/settlement-batch.ts";
import { exactAmount, timestamp } from "./primitives.ts";
import { requestRead } from "./shared-fields.ts";

/** The error codes. Codes may be added: treat an unknown one by its HTTP status. */
export const errorCodeSchema = z.enum(REFUSAL_CODES);

/** An RFC 9457 problem document: every error of the settlement surface (contract, part 5). */
export const problemSchema = z.object({
  type: z.string().describe("The URL of the error's page in the documentation"),
  title: z.string().describe("What the code means. The same text each time"),
  status: z.int().describe("The HTTP status of the answer"),
  detail: z.string().describe("What is wrong in this case, in one sentence for people"),
  code: errorCodeSchema.describe("The error code, for programs. New codes may be added"),
  request_id: z.string().describe("The request's id, as in the header X-Request-Id. Give it when you ask the operator for help"),
  trace_id: z.string().optional().describe("The id of the request's trace (W3C Trace Context). Present only if requests are traced"),
  errors: z
    .array(
      z.object({
        pointer: z.string().optional().describe("A JSON pointer to the value in the body"),
        parameter: z.string().optional().describe("The name of a query parameter"),
        code: z.string().describe("What is wrong with the value, such as required or too_long. It may also be an error code"),
        message: z.string().describe("The same, in words for people"),
      }),
    )
    .optional()
    .describe("Each fault and its place. Present with status 422"),
  settlement_status: z.enum(SETTLEMENT_STATUSES).optional().describe("With invalid_state: the status that does not allow it"),
  batch_status: z.enum(BATCH_STATUSES).optional().describe("With invalid_state, of a batch: the status that does not allow it"),
  batch_id: z.string().optional().describe("With external_batch_id_conflict and batch_member: the id of the batch"),
  current_total: z
    .record(z.string(), z.number())
    .optional()
    .describe("With quote_changed, of a batch: the total that it offers now in each destination currency"),
  expired_at: timestamp.optional().describe("With quote_expired: when the quote expired"),
  oldest_cursor: z.string().optional().describe("With cursor_expired: the cursor of the oldest events that are still kept"),
  server_time: timestamp.optional().describe("With quote_expired and stale_timestamp: the server's time"),
  skew_seconds: z
    .int()
    .nullable()
    .optional()
    .describe(
      "With stale_timestamp: how far your timestamp is ahead of the server's time, in seconds. Negative if it is behind, null if it is not a number",
    ),
  current_destination_amount: exactAmount("With quote_changed: the destination_amount that the quote offers now").optional(),
  received: z.object(requestRead).optional().describe("With signature_mismatch: what the server read. Compare it with what you signed"),
  required_scope: z.string().optional().describe("With scope_missing: the scope that the API key lacks"),
});

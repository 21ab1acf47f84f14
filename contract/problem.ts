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
  type: z.string().describe("The error's page in the documentation"),
  title: z.string().describe("What the code means, in the same words each time"),
  status: z.int().describe("HTTP status of the answer"),
  detail: z.string().describe("What is wrong in this case, in a sentence for people"),
  code: errorCodeSchema.describe("Which error it is, for programs. Codes may be added"),
  request_id: z.string().describe("The request's id, as in the header X-Request-Id; name it when you ask the operator"),
  trace_id: z.string().optional().describe("The trace that the request belongs to (W3C Trace Context), where requests are traced"),
  errors: z
    .array(
      z.object({
        pointer: z.string().optional().describe("A JSON pointer into the body"),
        parameter: z.string().optional().describe("The name of a query parameter"),
        code: z.string().describe("What is wrong with the value, such as required or too_long; may also be an error's code"),
        message: z.string().describe("The same in words, for people"),
      }),
    )
    .optional()
    .describe("What is wrong where, for 422"),
  settlement_status: z.enum(SETTLEMENT_STATUSES).optional().describe("With invalid_state: the status that does not allow it"),
  batch_status: z.enum(BATCH_STATUSES).optional().describe("With invalid_state, of a batch: the status that does not allow it"),
  batch_id: z.string().optional().describe("With external_batch_id_conflict and batch_member: the batch"),
  current_total: z
    .record(z.string(), z.number())
    .optional()
    .describe("With quote_changed, of a batch: what each destination currency comes to now"),
  expired_at: timestamp.optional().describe("With quote_expired: when the quote ran out"),
  oldest_cursor: z.string().optional().describe("With cursor_expired: where the oldest events begin that are still kept"),
  server_time: timestamp.optional().describe("With quote_expired and stale_timestamp: what time it is here"),
  skew_seconds: z
    .int()
    .nullable()
    .optional()
    .describe("With stale_timestamp: how many seconds the timestamp is ahead of server time; null: it is no number of seconds"),
  current_destination_amount: exactAmount("With quote_changed: the destination_amount that the quote offers now").optional(),
  received: z.object(requestRead).optional().describe("With signature_mismatch: what was read, to find the byte that differs"),
  required_scope: z.string().optional().describe("With scope_missing: the scope that the key lacks"),
});

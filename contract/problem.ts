import { z } from "zod";
import { REFUSAL_CODES } from "#domain/refusal.ts";
import { SETTLEMENT_STATUSES } from "#domain/settlement.ts";
import { timestamp } from "./primitives.ts";

/** What was refused, by name. Codes may be added: what is unknown is judged by its status. */
export const errorCodeSchema = z.enum(REFUSAL_CODES);

/** An RFC 9457 problem document: every error of the settlement surface (contract, part 5). */
export const problemSchema = z.object({
  type: z.string().describe("The error's page in the documentation"),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: errorCodeSchema,
  request_id: z.string(),
  trace_id: z.string().optional().describe("The trace that the request belongs to (W3C Trace Context), where requests are traced"),
  errors: z
    .array(
      z.object({
        pointer: z.string().optional().describe("A JSON pointer into the body"),
        parameter: z.string().optional().describe("The name of a query parameter"),
        code: z.string(),
        message: z.string(),
      }),
    )
    .optional()
    .describe("What is wrong where, for 422"),
  settlement_status: z.enum(SETTLEMENT_STATUSES).optional().describe("With invalid_state: the status that does not allow it"),
  expired_at: timestamp.optional().describe("With quote_expired"),
  server_time: timestamp.optional().describe("With quote_expired and stale_timestamp: what time it is here"),
  skew_seconds: z.int().nullable().optional().describe("With stale_timestamp: how far the timestamp is ahead of server time"),
  current_destination_amount: z.number().optional().describe("With quote_changed: what the quote offers now"),
  received: z
    .object({
      method: z.string(),
      path: z.string(),
      query: z.string(),
      body_length: z.int(),
      body_sha256: z.string(),
      signing_string_sha256: z.string(),
    })
    .optional()
    .describe("With signature_mismatch: what was read, to find the byte that differs"),
  required_scope: z.string().optional().describe("With scope_missing"),
});

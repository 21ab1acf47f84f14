import { z } from "zod";
import { exactAmount } from "#contract/primitives.ts";
import { errorCodeSchema } from "#contract/problem.ts";
import { FIAT_STATUSES } from "#domain/fiat.ts";
import { SAFE_STATUSES } from "#domain/member.ts";

/** The shapes of the partner-management surface's errors (contract, part 5): FastAPI's, because the specification names them. */

export const validationErrorSchema = z.object({
  loc: z
    .array(z.union([z.string(), z.int()]))
    .describe("The place of the fault: the part of the request (body or query), then the path to the value"),
  msg: z.string().describe("What is wrong, in words for people"),
  type: z.string().describe("The kind of fault, such as missing or too_long"),
});

const named = {
  code: errorCodeSchema.describe("The error code, for programs. New codes may be added"),
  request_id: z.string().describe("The request's id, as in the header X-Request-Id. Give it when you ask the operator for help"),
};

/** Every 422. */
export const httpValidationErrorSchema = z.object({
  detail: z.array(validationErrorSchema).describe("Each fault with its place"),
  ...named,
});

/** Every other error. */
export const errorSchema = z.object({
  detail: z.string().describe("What is wrong in this case, in one sentence for people"),
  ...named,
  current_source_amount: exactAmount("With quote_changed, of a withdrawal: the crypto that it would take now").optional(),
  current_destination_amount: exactAmount("With quote_changed, of a top-up: the crypto that it would send now").optional(),
  order_status: z
    .enum(FIAT_STATUSES)
    .optional()
    .describe("With invalid_state, of a withdrawal or top-up: its status, which cannot be cancelled"),
  safe_status: z
    .enum(SAFE_STATUSES)
    .nullable()
    .optional()
    .describe("With conflict, if a Safe is missing: the state of that Safe. Null if none is being deployed for this member or partner"),
});

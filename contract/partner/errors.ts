import { z } from "zod";
import { errorCodeSchema } from "#contract/problem.ts";
import { SAFE_STATUSES } from "#domain/member.ts";

/** The shapes of the partner-management surface's errors (contract, part 5): FastAPI's, because the specification names them. */

export const validationErrorSchema = z.object({
  loc: z.array(z.union([z.string(), z.int()])).describe("Where: the part of the request (body or query), then the way to the value"),
  msg: z.string().describe("What is wrong there, in words for people"),
  type: z.string().describe("What is wrong, by name, such as missing or too_long"),
});

const named = {
  code: errorCodeSchema.describe("Which error it is, for programs. Codes may be added"),
  request_id: z.string().describe("The request's id, as in the header X-Request-Id; name it when you ask the operator"),
};

/** Every 422. */
export const httpValidationErrorSchema = z.object({
  detail: z.array(validationErrorSchema).describe("Each thing that is wrong, with its place"),
  ...named,
});

/** Every other error. */
export const errorSchema = z.object({
  detail: z.string().describe("What is wrong in this case, in a sentence for people"),
  ...named,
  safe_status: z
    .enum(SAFE_STATUSES)
    .nullable()
    .optional()
    .describe("With conflict, where a Safe is missing: how far it has come; null: none is being deployed for this member or partner"),
});

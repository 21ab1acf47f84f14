import { z } from "zod";
import { errorCodeSchema } from "#contract/problem.ts";

/** The shapes of the partner-management surface's errors (contract, part 5): FastAPI's, because the specification names them. */

export const validationErrorSchema = z.object({
  loc: z.array(z.union([z.string(), z.int()])).describe("Where: the part of the request (body or query), then the way to the value"),
  msg: z.string().describe("What is wrong there, in words for people"),
  type: z.string().describe("What is wrong, by name, such as missing or too_long"),
});

/** Every 422. */
export const httpValidationErrorSchema = z.object({
  detail: z.array(validationErrorSchema).describe("Each thing that is wrong, with its place"),
  code: errorCodeSchema.optional().describe("There where a rule of the service is broken: which, by name"),
});

/** Every other error. */
export const errorSchema = z.object({
  detail: z.string().describe("What is wrong in this very case, in a sentence for people"),
  code: errorCodeSchema.describe("What was refused, by name; to be told apart by programs. Codes may be added"),
});

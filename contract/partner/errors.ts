import { z } from "zod";
import { errorCodeSchema } from "#contract/problem.ts";

/** The shapes of the partner-management surface's errors (contract, part 5): FastAPI's, because the specification names them. */

export const validationErrorSchema = z.object({
  loc: z.array(z.union([z.string(), z.int()])).describe("Where: the part of the request (body or query), then the way to the value"),
  msg: z.string(),
  type: z.string(),
});

/** Every 422. */
export const httpValidationErrorSchema = z.object({
  detail: z.array(validationErrorSchema),
  code: errorCodeSchema.optional().describe("Where a rule of the service is broken: which"),
});

/** Every other error. */
export const errorSchema = z.object({ detail: z.string(), code: errorCodeSchema });

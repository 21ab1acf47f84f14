import { z } from "zod";

/** An RFC 9457 problem document: every error of the settlement surface (contract, part 5). */
export const problemSchema = z.object({
  type: z.string().describe("The error's page in the documentation"),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
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
});

import { expect } from "@playwright/test";
import { z } from "zod";
import type { Operation } from "#contract/operation.ts";
import type { Answer } from "#sandbox/client/exchange.ts";
import { BASE_URL } from "./running-sandbox.ts";

/** The members of every error of the settlement surface (contract, part 5), and what single codes add. */
const problem = z.looseObject({
  type: z.string(),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  code: z.string(),
  request_id: z.string(),
  errors: z
    .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), code: z.string(), message: z.string().min(1) }))
    .optional(),
});
export type Problem = z.infer<typeof problem>;

/** Status and body in a failed test's message: of a page, only its beginning. */
function shortly({ status, text, headers }: Answer): string {
  return `${status} ${String(headers["content-type"]).includes("json") ? text : text.slice(0, 200)}`;
}

/** Asserts a refusal of the settlement surface in full: status, media type, every member, the request's id. */
export function expectRefusal(answer: Answer, status: number, code: string): Problem {
  expect(shortly(answer)).toContain(`"${code}"`);
  const parsed = problem.parse(JSON.parse(answer.text));
  expect({ status: answer.status, code: parsed.code }).toEqual({ status, code });
  expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
  expect(parsed.status).toBe(status);
  expect(parsed.type).toBe(`${BASE_URL}/docs/errors/${code}`);
  expect(parsed.request_id).toMatch(/^req_/);
  expect(answer.headers["x-request-id"]).toBe(parsed.request_id);
  if (status === 401) expect(answer.headers.location).toBeUndefined();
  return parsed;
}

/** Asserts a 422 that points at one field (`/source_amount`) or names one query parameter. */
export function expectFault(answer: Answer, code: string, at: { pointer: string } | { parameter: string }): Problem {
  const refusal = expectRefusal(answer, 422, code);
  expect(refusal.errors).toContainEqual(expect.objectContaining(at));
  return refusal;
}

/** Asserts an error of the operator's operations: `{"detail", "code"}`. */
export function expectOperatorError(answer: Answer, status: number, code: string): Record<string, unknown> {
  expect(shortly(answer)).toContain(`"${code}"`);
  const error = z.looseObject({ detail: z.string().min(1), code: z.literal(code) }).parse(JSON.parse(answer.text));
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  return error;
}

/** Asserts success, and parses the answer with the operation's published schema. */
export function read<Result extends z.ZodType>(operation: Pick<Operation, "status"> & { result: Result }, answer: Answer): z.infer<Result> {
  expect(answer.status, answer.text).toBe(operation.status);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.headers["x-request-id"]).toMatch(/^req_/);
  return operation.result.parse(JSON.parse(answer.text));
}

/** Success without a published schema. */
export function readJson(answer: Answer, status = 200): Record<string, unknown> {
  expect(answer.status, answer.text).toBe(status);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(answer.text));
}

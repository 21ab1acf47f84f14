import { REFUSAL_STATUS, retryAfterOf } from "#contract/refusal-status.ts";
import type { Refusal } from "#domain/refusal.ts";
import { traceId } from "#server/observe/trace.ts";
import type { RawResponse } from "./raw-request.ts";
import { renderJson } from "./render-json.ts";

/** A refusal as an RFC 9457 problem document (contract, parts 5 and 9). Only the log has the cause. */
export function renderProblem(refusal: Refusal, about: { baseUrl: string; requestId: string }): RawResponse {
  const { status, title } = REFUSAL_STATUS[refusal.code];
  const { detail, members, errors } = refusal.particulars;
  const trace = traceId();
  const body = renderJson({
    ...members,
    type: `${about.baseUrl}/docs/errors/${refusal.code}`,
    title,
    status,
    detail: detail ?? `${title}.`,
    code: refusal.code,
    request_id: about.requestId,
    ...(trace === null ? {} : { trace_id: trace }),
    ...(errors ? { errors } : {}),
  });
  return { status, headers: { "Content-Type": "application/problem+json", ...refusalHeaders(refusal) }, body };
}

/** The headers of a refusal, in any error format. */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  const seconds = retryAfterOf(refusal);
  return seconds === null ? {} : { "Retry-After": String(seconds) };
}

import { REFUSAL_STATUS } from "#server/contract/refusal-status.ts";
import type { Refusal } from "#server/domain/refusal.ts";
import type { RawResponse } from "./raw-request.ts";
import { renderJson } from "./render-json.ts";

const DEFAULT_RETRY_AFTER_SECONDS = 2;

/** A refusal as an RFC 9457 problem document (contract, parts 5 and 9). What the cause was is for the log alone. */
export function renderProblem(refusal: Refusal, about: { baseUrl: string; requestId: string }): RawResponse {
  const { status, title } = REFUSAL_STATUS[refusal.code];
  const { detail, members, errors } = refusal.particulars;
  const body = renderJson({
    ...members,
    type: `${about.baseUrl}/docs/errors/${refusal.code}`,
    title,
    status,
    detail: detail ?? `${title}.`,
    code: refusal.code,
    request_id: about.requestId,
    ...(errors ? { errors } : {}),
  });
  return { status, headers: { "Content-Type": "application/problem+json", ...refusalHeaders(refusal) }, body };
}

/** The headers that a refusal brings along in whatever shape it is told. */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  const { status } = REFUSAL_STATUS[refusal.code];
  const seconds = refusal.particulars.retryAfterSeconds ?? (status === 503 ? DEFAULT_RETRY_AFTER_SECONDS : null);
  return seconds === null ? {} : { "Retry-After": String(seconds) };
}

import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import type { Fault, Refusal } from "#domain/refusal.ts";
import { refusalHeaders } from "./problem.ts";
import type { RawResponse } from "./raw-request.ts";
import { renderJson } from "./render-json.ts";

/**
 * A refusal in the shapes of the partner-management surface (contract, part 5): `HTTPValidationError` for an invalid request, `{detail,
 * code}` for everything else. Each also has its `code` and its `request_id`.
 */
export function renderFastApiError(refusal: Refusal, { method, requestId }: { method: string; requestId: string }): RawResponse {
  const { status, title } = REFUSAL_STATUS[refusal.code];
  const { detail, members, errors } = refusal.particulars;
  const message = detail ?? `${title}.`;
  const entry =
    status === 422
      ? (errors ?? [{ code: refusal.code, message }]).map((fault) => validationError(fault, isRead(method) ? "query" : "body"))
      : message;
  const body = renderJson({ ...members, detail: entry, code: refusal.code, request_id: requestId });
  return { status, headers: { "Content-Type": "application/json", ...refusalHeaders(refusal) }, body };
}

/** Names that clients of such surfaces know; every other code is its own name. */
const TYPES: Record<string, string> = { required: "missing", unknown: "extra_forbidden" };

function validationError(fault: Fault, part: Part): { loc: (string | number)[]; msg: string; type: string } {
  return { loc: place(fault, part), msg: fault.message, type: TYPES[fault.code] ?? fault.code };
}

/** The place of a value in a request; a rule of the service only knows its name. */
type Part = "query" | "body";

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function place({ pointer, parameter }: Fault, part: Part): (string | number)[] {
  if (parameter !== undefined) return ["query", parameter];
  const steps = (pointer ?? "").split("/").slice(1);
  return [part, ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll("~1", "/").replaceAll("~0", "~")))];
}

import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import type { Fault, Refusal } from "#domain/refusal.ts";
import { refusalHeaders } from "./problem.ts";
import type { RawResponse } from "./raw-request.ts";
import { renderJson } from "./render-json.ts";

/**
 * A refusal in the shapes of the partner-management surface (contract, part 5): `HTTPValidationError` for a request that is not
 * valid, `{detail, code}` for everything else.
 */
export function renderFastApiError(refusal: Refusal, { method }: { method: string }): RawResponse {
  const { status, title } = REFUSAL_STATUS[refusal.code];
  const { detail, members, errors } = refusal.particulars;
  const message = detail ?? `${title}.`;
  const body =
    status === 422
      ? invalidRequest(refusal.code, errors ?? [{ code: refusal.code, message }], isRead(method) ? "query" : "body")
      : { ...members, detail: message, code: refusal.code };
  return { status, headers: { "Content-Type": "application/json", ...refusalHeaders(refusal) }, body: renderJson(body) };
}

/** What is wrong with the request as such is told by its faults alone; a rule of the service's that it breaks also has its code. */
function invalidRequest(code: string, faults: readonly Fault[], part: Part): Record<string, unknown> {
  const detail = faults.map((fault) => validationError(fault, part));
  return code === "validation_failed" ? { detail } : { detail, code };
}

/** Names that clients of such surfaces know; every other code is its own name. */
const TYPES: Record<string, string> = { required: "missing", unknown: "extra_forbidden" };

function validationError(fault: Fault, part: Part): { loc: (string | number)[]; msg: string; type: string } {
  return { loc: place(fault, part), msg: fault.message, type: TYPES[fault.code] ?? fault.code };
}

/** Where a request says what it wants: a rule of the service's that it breaks knows the name alone. */
type Part = "query" | "body";

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function place({ pointer, parameter }: Fault, part: Part): (string | number)[] {
  if (parameter !== undefined) return ["query", parameter];
  const steps = (pointer ?? "").split("/").slice(1);
  return [part, ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll("~1", "/").replaceAll("~0", "~")))];
}

import { REFUSAL_STATUS } from "#server/contract/refusal-status.ts";
import type { Fault, Refusal } from "#server/domain/refusal.ts";
import { refusalHeaders } from "./problem.ts";
import type { RawResponse } from "./raw-request.ts";
import { renderJson } from "./render-json.ts";

/**
 * A refusal in the shapes of the partner-management surface (contract, part 5): `HTTPValidationError` for a request that is not
 * valid, `{detail, code}` for everything else.
 */
export function renderFastApiError(refusal: Refusal): RawResponse {
  const { status, title } = REFUSAL_STATUS[refusal.code];
  const { detail, members, errors } = refusal.particulars;
  const body = errors ? { detail: errors.map(validationError) } : { ...members, detail: detail ?? `${title}.`, code: refusal.code };
  return { status, headers: { "Content-Type": "application/json", ...refusalHeaders(refusal) }, body: renderJson(body) };
}

/** Names that clients of such surfaces know; every other code is its own name. */
const TYPES: Record<string, string> = { required: "missing", unknown: "extra_forbidden" };

function validationError(fault: Fault): { loc: (string | number)[]; msg: string; type: string } {
  return { loc: place(fault), msg: fault.message, type: TYPES[fault.code] ?? fault.code };
}

function place({ pointer, parameter }: Fault): (string | number)[] {
  if (parameter !== undefined) return ["query", parameter];
  const steps = (pointer ?? "").split("/").slice(1);
  return ["body", ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll("~1", "/").replaceAll("~0", "~")))];
}

import type { ErrorCode, Problem } from "./generated/settlement.ts";

/** Everything that this package throws on purpose. */
export class SettlementError extends Error {
  override name = "SettlementError";
}

export type Fault = { at: string; code: string; message: string };

/** The additional members of a refusal, by its code. */
type Members = Partial<Omit<Problem, "type" | "title" | "status" | "detail" | "code" | "request_id" | "errors">>;

/** The service refused the request. `code` says why, and may be unknown to this version: treat that by its `status`. */
export class Refused extends SettlementError {
  override name = "Refused";
  readonly status: number;
  readonly code: ErrorCode | (string & {});
  readonly detail: string;
  readonly requestId: string | null;
  /** The invalid fields, with 422. */
  readonly faults: readonly Fault[];
  /** The seconds after which you may try again. */
  readonly retryAfter: number | null;
  /** Such as `server_time`, `current_destination_amount`, `settlement_status`. */
  readonly members: Members;

  constructor(status: number, headers: Headers, body: unknown) {
    const members: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
    const faults = faultsOf(members);
    const code = typeof members.code === "string" ? members.code : status === 422 ? "validation_failed" : "unknown";
    const detail = typeof members.detail === "string" ? members.detail : (faults[0]?.message ?? `The service answered ${status}.`);
    const places = faults.map(({ at, message }) => (message === detail ? at : `${at}: ${message}`));
    super(`${status} ${code}: ${detail}${places.length === 0 ? "" : ` (${places.join("; ")})`}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.faults = faults;
    this.requestId = headers.get("x-request-id");
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : null;
    this.members = members;
  }

  /** Whether an error is this refusal, of one of these codes. */
  static is(error: unknown, ...codes: ErrorCode[]): error is Refused {
    return error instanceof Refused && (codes.length === 0 || codes.some((code) => code === error.code));
  }
}

/** No answer came after all attempts: it is unknown whether anything happened. Repeating the call is safe. */
export class Unanswered extends SettlementError {
  override name = "Unanswered";
}

/** It has not ended in the given time, or never will by itself. `last` is its last state. */
export class NotTerminal<Thing> extends SettlementError {
  override name = "NotTerminal";
  readonly last: Thing;

  constructor(message: string, last: Thing) {
    super(message);
    this.last = last;
  }
}

/** A callback that is not genuine. Answer it with 400, and do nothing else. */
export class CallbackRefused extends SettlementError {
  override name = "CallbackRefused";
}

/** A proof that is not genuine. */
export class ProofRefused extends SettlementError {
  override name = "ProofRefused";
}

function faultsOf({ errors, detail }: Record<string, unknown>): Fault[] {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  if (Array.isArray(errors)) {
    return errors.map((each) => ({ at: text(each?.pointer ?? each?.parameter), code: text(each?.code), message: text(each?.message) }));
  }
  if (!Array.isArray(detail)) return [];
  return detail.map((each) => ({
    at: Array.isArray(each?.loc) ? each.loc.join(".") : "",
    code: text(each?.type),
    message: text(each?.msg),
  }));
}

import type { Decision } from "./signed-decision.ts";

/**
 * Everything the service may refuse, by its public code (contract, part 5). A refusal is thrown, never returned: throwing rolls the
 * transaction back. `contract/refusal-status.ts` maps each code to its HTTP status and title.
 */
export const REFUSAL_CODES = [
  // 400
  "malformed_json",
  "malformed_header",
  "invalid_utf8",
  // 401
  "missing_credentials",
  "missing_api_key",
  "signature_required",
  "unknown_api_key",
  "revoked_api_key",
  "stale_timestamp",
  "invalid_nonce",
  "signature_mismatch",
  "nonce_reused",
  "invalid_credentials",
  "invalid_token",
  "one_time_code_required",
  // 403
  "ip_not_allowed",
  "scope_missing",
  "partner_suspended",
  "forbidden",
  "step_up_required",
  "person_required",
  "passkey_required",
  "enrolment_required",
  "single_sign_on_required",
  // 404, 405
  "settlement_not_found",
  "callback_not_found",
  "batch_not_found",
  "event_not_found",
  "destination_not_found",
  "route_not_found",
  "not_found",
  "method_not_allowed",
  // 409
  "approval_pending",
  "invalid_state",
  "same_approver",
  "same_person",
  "external_tx_id_conflict",
  "external_batch_id_conflict",
  "batch_member",
  "quote_changed",
  "rate_moved",
  "idempotency_in_progress",
  "conflict",
  "insufficient_liquidity",
  "insufficient_funds",
  // 410
  "quote_expired",
  "cursor_expired",
  // 413, 415
  "body_too_large",
  "unsupported_media_type",
  // 422
  "validation_failed",
  "unsupported_pair",
  "unsupported_chain",
  "invalid_wallet_address",
  "amount_too_small",
  "amount_too_large",
  "callback_url_not_allowed",
  "idempotency_key_reused",
  // 429
  "rate_limited",
  // 500, 503
  "internal_error",
  "rate_unavailable",
  "liquidity_unavailable",
  "temporarily_unavailable",
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The possible faults of one field or parameter, besides refusals with their own code. The documentation lists each. */
export const FAULT_CODES = [
  "required",
  "unknown",
  "repeated",
  "invalid_type",
  "invalid_value",
  "invalid_format",
  "invalid_text",
  "invalid_encoding",
  "invalid_amount",
  "invalid_url",
  "not_exact",
  "too_short",
  "too_long",
  "too_small",
  "too_large",
  "out_of_range",
  "in_the_past",
  "mismatch",
  "malformed_cursor",
  "unknown_chain",
  "wrong_side",
  "taken",
  "weak_password",
  "wrong_password",
  "wrong_code",
  "wrong_answer",
  "invalid",
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** One fault in a request: where it is (a JSON pointer, or the name of a query parameter) and what is wrong with it. */
export type Fault = { pointer?: string; parameter?: string; code: FaultCode | RefusalCode; message: string };

export type RefusalParticulars = {
  /** One public sentence about this very case; the code's fixed title is used when it is left out. Never a secret or a foreign id. */
  detail?: string;
  /** Public extra members of the problem document (for example `expired_at`), already in wire names and wire shapes. */
  members?: Record<string, unknown>;
  /** The faults and their places, for 422. */
  errors?: Fault[];
  /** Seconds for `Retry-After`. */
  retryAfterSeconds?: number;
  /** What a passkey must sign first: an interface with a browser asks for it. Never on the wire. */
  decision?: Decision;
  /** What the log should know and the caller must not. */
  cause?: unknown;
};

/** A coded "no" (contract, part 5). Thrown by domain and services, mapped to an answer once, at the surface. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly particulars: RefusalParticulars;

  constructor(code: RefusalCode, particulars: RefusalParticulars = {}) {
    super(particulars.detail ?? code, particulars.cause === undefined ? undefined : { cause: particulars.cause });
    this.name = "Refusal";
    this.code = code;
    this.particulars = particulars;
  }
}

/**
 * Whether it is a Refusal, also one from another copy of this module: Next bundles its own copy of the server next to the front door's, so
 * `instanceof` alone would miss it.
 */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal || (error instanceof Error && error.name === "Refusal" && "code" in error && "particulars" in error);
}

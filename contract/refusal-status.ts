import type { Refusal, RefusalCode } from "#domain/refusal.ts";

export type RefusalStatus = { status: number; title: string };

/** The HTTP status and title of each refusal (contract, part 5). A missing code does not compile. */
export const REFUSAL_STATUS = {
  malformed_json: { status: 400, title: "The body is not valid JSON" },
  malformed_header: { status: 400, title: "A header is malformed or was sent twice" },
  invalid_utf8: { status: 400, title: "The body is not valid UTF-8" },
  signature_required: { status: 401, title: "This key must sign this request" },
  missing_credentials: { status: 401, title: "A signing header is missing" },
  missing_api_key: { status: 401, title: "The apiKey header is missing" },
  unknown_api_key: { status: 401, title: "The API key is unknown" },
  revoked_api_key: { status: 401, title: "The API key was revoked or has expired" },
  stale_timestamp: { status: 401, title: "The timestamp is not within 5 minutes of server time" },
  invalid_nonce: { status: 401, title: "The nonce is not a UUIDv4" },
  signature_mismatch: { status: 401, title: "The signature does not match the request" },
  nonce_reused: { status: 401, title: "The nonce was used before" },
  invalid_credentials: { status: 401, title: "Username, password or one-time code is wrong" },
  invalid_token: { status: 401, title: "The access token is unknown, revoked or has expired" },
  one_time_code_required: { status: 401, title: "A one-time code is required" },
  ip_not_allowed: { status: 403, title: "The API key may not be used from this address" },
  scope_missing: { status: 403, title: "The API key lacks the scope for this operation" },
  partner_suspended: { status: 403, title: "The partner is suspended" },
  forbidden: { status: 403, title: "The caller may not do this" },
  step_up_required: { status: 403, title: "Confirm that it is you" },
  person_required: { status: 403, title: "A person must do this" },
  passkey_required: { status: 403, title: "A passkey must sign this decision" },
  enrolment_required: { status: 403, title: "Two-factor sign-in must be set up first" },
  settlement_not_found: { status: 404, title: "There is no such settlement" },
  callback_not_found: { status: 404, title: "There is no such callback" },
  batch_not_found: { status: 404, title: "There is no such batch" },
  event_not_found: { status: 404, title: "There is no such event" },
  route_not_found: { status: 404, title: "There is no such route" },
  not_found: { status: 404, title: "The resource does not exist" },
  method_not_allowed: { status: 405, title: "The route does not support this method" },
  approval_pending: { status: 409, title: "The settlement awaits an admin's approval" },
  invalid_state: { status: 409, title: "The settlement's state does not allow this" },
  same_person: { status: 409, title: "Another person must do this: you, or what you made, asked for it" },
  same_approver: { status: 409, title: "Another person must give the second approval" },
  external_tx_id_conflict: { status: 409, title: "The external_tx_id is already in use" },
  external_batch_id_conflict: { status: 409, title: "The external_batch_id is already in use" },
  batch_member: { status: 409, title: "The settlement is an item of a batch" },
  quote_changed: { status: 409, title: "The quote is not the expected one" },
  rate_moved: { status: 409, title: "The rate has moved" },
  idempotency_in_progress: { status: 409, title: "A request with this Idempotency-Key is in progress" },
  conflict: { status: 409, title: "The request conflicts with existing data" },
  insufficient_liquidity: { status: 409, title: "The pool does not hold enough of this currency" },
  insufficient_funds: { status: 409, title: "The Safe does not hold enough" },
  quote_expired: { status: 410, title: "The quote has expired" },
  cursor_expired: { status: 410, title: "The cursor is older than what is kept" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The content type must be application/json" },
  validation_failed: { status: 422, title: "The request is not valid" },
  unsupported_pair: { status: 422, title: "The currency pair is not supported" },
  unsupported_chain: { status: 422, title: "The chain is not supported" },
  invalid_wallet_address: { status: 422, title: "The wallet address is not valid on this chain" },
  amount_too_small: { status: 422, title: "The amount is too small" },
  amount_too_large: { status: 422, title: "The amount is too large" },
  callback_url_not_allowed: { status: 422, title: "The callback URL may not be called" },
  idempotency_key_reused: { status: 422, title: "The Idempotency-Key was used with another body" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal_error: { status: 500, title: "Something went wrong on our side" },
  rate_unavailable: { status: 503, title: "There is no fresh rate right now" },
  liquidity_unavailable: { status: 503, title: "There is no liquidity right now" },
  temporarily_unavailable: { status: 503, title: "The service is temporarily unavailable" },
} as const satisfies Record<RefusalCode, RefusalStatus>;

const RETRY_SECONDS = 2;

/** The value of `Retry-After` for a refusal: its own seconds, and some for every 503; null: none. */
export function retryAfterOf({ code, particulars }: Refusal): number | null {
  return particulars.retryAfterSeconds ?? (REFUSAL_STATUS[code].status === 503 ? RETRY_SECONDS : null);
}

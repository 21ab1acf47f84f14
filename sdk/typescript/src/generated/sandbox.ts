// Written by scripts/openapi.ts out of the service's OpenAPI document: not to be changed by hand.

export type HTTPValidationError = {
  detail: Array<ValidationError>;
  /** Where a rule of the service is broken: which */
  code?: ErrorCode;
};

export type ValidationError = {
  /** Where: the part of the request (body or query), then the way to the value */
  loc: Array<string | number>;
  msg: string;
  type: string;
};

export type Error = {
  detail: string;
  code: ErrorCode;
};

export type ErrorCode = "malformed_json" | "malformed_header" | "invalid_utf8" | "missing_credentials" | "missing_api_key" | "signature_required" | "unknown_api_key" | "revoked_api_key" | "stale_timestamp" | "invalid_nonce" | "signature_mismatch" | "nonce_reused" | "invalid_credentials" | "invalid_token" | "one_time_code_required" | "ip_not_allowed" | "scope_missing" | "partner_suspended" | "forbidden" | "step_up_required" | "enrolment_required" | "settlement_not_found" | "callback_not_found" | "route_not_found" | "not_found" | "method_not_allowed" | "approval_pending" | "invalid_state" | "same_approver" | "external_tx_id_conflict" | "quote_changed" | "rate_moved" | "idempotency_in_progress" | "conflict" | "insufficient_liquidity" | "insufficient_funds" | "quote_expired" | "body_too_large" | "unsupported_media_type" | "validation_failed" | "unsupported_pair" | "unsupported_chain" | "invalid_wallet_address" | "amount_too_small" | "amount_too_large" | "callback_url_not_allowed" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "rate_unavailable" | "liquidity_unavailable" | "temporarily_unavailable";

export interface Operations {
  /** Read business time */
  read_clock: {
    method: "GET";
    path: "/sandbox/clock";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: {
      /** ISO 8601 in UTC, with milliseconds */
      now: string;
      offset_seconds: number;
    };
  };
  /** Move business time ahead */
  advance_clock: {
    method: "POST";
    path: "/sandbox/clock";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      advance_seconds: number;
    };
    result: {
      /** ISO 8601 in UTC, with milliseconds */
      now: string;
      offset_seconds: number;
    };
  };
  /** Set a pair's mid rate, or take it away with null */
  set_rate: {
    method: "PUT";
    path: "/sandbox/rates";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      source_currency: string;
      destination_currency: string;
      /** Destination units per one major unit of the source, before any spread */
      rate: number | null;
    };
    result: {
      source_currency: string;
      destination_currency: string;
      rate: number | null;
      /** ISO 8601 in UTC, with milliseconds */
      as_of: string;
    };
  };
}


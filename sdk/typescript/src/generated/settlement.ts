// Written by scripts/openapi.ts out of the service's OpenAPI document: not to be changed by hand.

export type Settlement = {
  tx_id: string;
  /** The partner's reference; null until confirmation */
  external_tx_id: string | null;
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled";
  approval_state: "pending" | "approved" | "rejected" | null;
  /** Minor units of the source currency */
  source_amount: number;
  source_currency: string;
  destination_currency: string;
  external_merchant_id: string;
  /** CAIP-2 */
  chain: string;
  wallet_address: string;
  /** Net amount delivered, after platform_fee */
  destination_amount: number;
  /** In the destination currency */
  platform_fee: number;
  /** Destination units per one major unit of the source currency */
  exchange_rate: number;
  /** ISO 8601 in UTC, with milliseconds */
  expires_at: string;
  callback_url: string | null;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  confirmed_at: string | null;
  cancelled_at: string | null;
  approval_decided_at: string | null;
  rejection_reason: string | null;
  /** Why a payment that is processing does not move; null: it moves, or nothing is to be paid */
  waiting_reason: "treasury_funding" | "chain_unavailable" | "review" | "hold" | null;
  /** Since when it waits for that */
  waiting_since: string | null;
  /** Present when executed */
  tx_hash?: string | undefined;
  /** Present when executed */
  executed_at?: string | undefined;
  /** Present when failed */
  failure_reason?: string | undefined;
  undelivered_callbacks: Array<{
    id: string;
    event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
    callback_url: string;
    /** ISO 8601 in UTC, with milliseconds */
    created_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    undelivered_at: string;
    attempts: Array<CallbackAttempt>;
    /** The body that was sent, as it was sent */
    payload: Record<string, unknown>;
  }>;
};

export type SettlementCreate = {
  /** Minor units of the source currency */
  source_amount: number;
  /** ISO 4217 */
  source_currency: string;
  destination_currency: string;
  external_merchant_id: string;
  /** CAIP-2 */
  chain: string;
  wallet_address: string;
  /** An absolute https URL of a public host */
  callback_url?: string | undefined;
};

export type SettlementConfirm = {
  tx_id: string;
  /** The partner's reference, unique among its settlements */
  external_tx_id: string;
  /** Receives the terminal callback; required unless one was given at creation */
  callback_url?: string | undefined;
  /** Refused with quote_changed when the quote offers another amount */
  expected_destination_amount?: number | undefined;
};

export type SettlementCancel = {
  tx_id: string;
};

export type Callback = {
  id: string;
  event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
  state: "pending" | "delivered" | "undelivered";
  callback_url: string;
  /** ISO 8601 in UTC, with milliseconds */
  created_at: string;
  delivered_at: string | null;
  next_attempt_at: string | null;
  attempts: Array<{
    /** Null: one beside the six, asked for by hand */
    number: number | null;
    /** ISO 8601 in UTC, with milliseconds */
    scheduled_at: string;
    /** ISO 8601 in UTC, with milliseconds */
    sent_at: string;
    duration_ms: number | null;
    response_status: number | null;
    error: string | null;
    /** 1, and one more for each resend */
    series: number;
  }>;
  /** The body, as every attempt sends it */
  payload: Record<string, unknown>;
};

export type CallbackList = {
  data: Array<Callback>;
};

export type CallbackAttempt = {
  /** Null: one beside the six, asked for by hand */
  number: number | null;
  /** ISO 8601 in UTC, with milliseconds */
  scheduled_at: string;
  /** ISO 8601 in UTC, with milliseconds */
  sent_at: string;
  duration_ms: number | null;
  response_status: number | null;
  error: string | null;
};

export type Pair = {
  source_currency: string;
  destination_currency: string;
  chain: string;
  minimum_source_amount: number;
  /** Strictly above it a settlement awaits approval */
  maximum_source_amount: number;
  /** In the destination currency */
  platform_fee: number;
  destination_decimals: number;
  quote_lifetime_seconds: number;
  quoting: "up" | "down";
};

export type PairList = {
  data: Array<Pair>;
};

export type RatePreview = {
  source_currency: string;
  destination_currency: string;
  chain: string;
  exchange_rate: number;
  platform_fee: number;
  /** ISO 8601 in UTC, with milliseconds */
  as_of: string;
  source_amount?: number | undefined;
  destination_amount?: number | undefined;
};

export type Problem = {
  /** The error's page in the documentation */
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  /** The trace that the request belongs to (W3C Trace Context), where requests are traced */
  trace_id?: string | undefined;
  /** What is wrong where, for 422 */
  errors?: Array<{
    /** A JSON pointer into the body */
    pointer?: string | undefined;
    /** The name of a query parameter */
    parameter?: string | undefined;
    code: string;
    message: string;
  }> | undefined;
  /** With invalid_state: the status that does not allow it */
  settlement_status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | undefined;
  /** With quote_expired */
  expired_at?: string | undefined;
  /** With quote_expired and stale_timestamp: what time it is here */
  server_time?: string | undefined;
  /** With stale_timestamp: how far the timestamp is ahead of server time */
  skew_seconds?: number | null | undefined;
  /** With quote_changed: what the quote offers now */
  current_destination_amount?: number | undefined;
  /** With signature_mismatch: what was read, to find the byte that differs */
  received?: {
    method: string;
    path: string;
    query: string;
    body_length: number;
    body_sha256: string;
    signing_string_sha256: string;
  } | undefined;
  /** With scope_missing */
  required_scope?: string | undefined;
};

export type ErrorCode = "malformed_json" | "malformed_header" | "invalid_utf8" | "missing_credentials" | "missing_api_key" | "signature_required" | "unknown_api_key" | "revoked_api_key" | "stale_timestamp" | "invalid_nonce" | "signature_mismatch" | "nonce_reused" | "invalid_credentials" | "invalid_token" | "one_time_code_required" | "ip_not_allowed" | "scope_missing" | "partner_suspended" | "forbidden" | "step_up_required" | "enrolment_required" | "settlement_not_found" | "callback_not_found" | "route_not_found" | "not_found" | "method_not_allowed" | "approval_pending" | "invalid_state" | "same_approver" | "external_tx_id_conflict" | "quote_changed" | "rate_moved" | "idempotency_in_progress" | "conflict" | "insufficient_liquidity" | "insufficient_funds" | "quote_expired" | "body_too_large" | "unsupported_media_type" | "validation_failed" | "unsupported_pair" | "unsupported_chain" | "invalid_wallet_address" | "amount_too_small" | "amount_too_large" | "callback_url_not_allowed" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "rate_unavailable" | "liquidity_unavailable" | "temporarily_unavailable";

export interface Operations {
  /** Create a settlement and get its quote */
  create_settlement: {
    method: "POST";
    path: "/api/v1/settlements";
    params: Record<string, never>;
    query: Record<string, never>;
    body: SettlementCreate;
    result: Settlement;
  };
  /** List settlements, newest first */
  list_settlements: {
    method: "GET";
    path: "/api/v1/settlements";
    params: Record<string, never>;
    query: {
      status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | undefined;
      approval_state?: "pending" | "approved" | "rejected" | undefined;
      external_tx_id?: string | undefined;
      external_merchant_id?: string | undefined;
      /** CAIP-2 */
      chain?: string | undefined;
      /** Inclusive */
      created_from?: string | undefined;
      /** Exclusive */
      created_to?: string | undefined;
      /** 25 when left out */
      limit?: number | undefined;
      /** The next_cursor of the page before */
      cursor?: string | undefined;
    };
    body: never;
    result: {
      data: Array<Settlement>;
      next_cursor: string | null;
    };
  };
  /** Confirm a quote, named in the body */
  confirm_settlement: {
    method: "POST";
    path: "/api/v1/settlements/confirm";
    params: Record<string, never>;
    query: Record<string, never>;
    body: SettlementConfirm;
    result: Settlement;
  };
  /** Confirm a quote, named in the path */
  confirm_one_settlement: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/confirm";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      tx_id?: string | undefined;
      /** The partner's reference, unique among its settlements */
      external_tx_id: string;
      /** Receives the terminal callback; required unless one was given at creation */
      callback_url?: string | undefined;
      /** Refused with quote_changed when the quote offers another amount */
      expected_destination_amount?: number | undefined;
    };
    result: Settlement;
  };
  /** Cancel a settlement, named in the body */
  cancel_settlement: {
    method: "POST";
    path: "/api/v1/settlements/cancel";
    params: Record<string, never>;
    query: Record<string, never>;
    body: SettlementCancel;
    result: Settlement;
  };
  /** Cancel a settlement, named in the path */
  cancel_one_settlement: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/cancel";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: Record<string, never>;
    result: Settlement;
  };
  /** Get a settlement with its undelivered callbacks */
  get_settlement: {
    method: "GET";
    path: "/api/v1/settlements/{tx_id}";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Settlement;
  };
  /** The quote, and once executed the receipt, signed so that anybody can check them */
  prove_settlement: {
    method: "GET";
    path: "/api/v1/settlements/{tx_id}/proof";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: {
      tx_id: string;
      /** The price in force, signed: what was promised, and until when */
      quote: string;
      /** Once it is executed: what was paid, in which transaction, block and log */
      receipt: string | null;
      /** Where the public keys are */
      jwks_url: string;
    };
  };
  /** List a settlement's callbacks with every attempt */
  list_callbacks: {
    method: "GET";
    path: "/api/v1/settlements/{tx_id}/callbacks";
    params: {
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: CallbackList;
  };
  /** Start the six attempts of a callback anew */
  resend_callback: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/resend";
    params: {
      tx_id: string;
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Callback;
  };
  /** Attempt a callback once now, beside its six attempts */
  attempt_callback: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/attempt";
    params: {
      tx_id: string;
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Callback;
  };
  /** List the pairs that may be quoted */
  list_pairs: {
    method: "GET";
    path: "/api/v1/pairs";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: PairList;
  };
  /** Preview a rate; nothing is stored */
  preview_rate: {
    method: "GET";
    path: "/api/v1/rates/preview";
    params: Record<string, never>;
    query: {
      source_currency: string;
      destination_currency: string;
      /** CAIP-2 */
      chain: string;
      /** Minor units of the source currency */
      source_amount?: number | undefined;
    };
    body: never;
    result: RatePreview;
  };
  /** Check a signature */
  echo: {
    method: "POST";
    path: "/api/v1/echo";
    params: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    result: {
      timestamp: string;
      method: string;
      path: string;
      query: string;
      body_length: number;
      body_sha256: string;
      signing_string_sha256: string;
    };
  };
  /** What time it is here */
  get_time: {
    method: "GET";
    path: "/time";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: {
      /** ISO 8601 in UTC, with milliseconds */
      now: string;
      epoch_seconds: number;
    };
  };
  /** The public keys with which quotes and receipts are signed */
  get_jwks: {
    method: "GET";
    path: "/.well-known/jwks.json";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: {
      keys: Array<{
        kty: "OKP";
        crv: "Ed25519";
        x: string;
        kid: string;
        alg: "EdDSA";
        use: "sig";
      }>;
    };
  };
}

export interface Webhooks {
  /** A settlement above the maximum was approved, at a new price: it can be confirmed. Goes to the URL given at creation, if any */
  "settlement.approved": {
    tx_id: string;
    /** The partner's reference; null until confirmation */
    external_tx_id: string | null;
    event: "settlement.approved";
    status: "approved";
    /** CAIP-2 */
    chain: string;
    /** Minor units of the source currency */
    source_amount: number;
    /** Net amount delivered, after platform_fee */
    destination_amount: number;
    /** In the destination currency */
    platform_fee: number;
    /** Until when it can be confirmed, at these amounts */
    expires_at: string;
  };
  /** A settlement was paid, and that is final */
  "settlement.executed": {
    tx_id: string;
    /** The partner's reference; null until confirmation */
    external_tx_id: string | null;
    status: "executed";
    /** The transaction that paid, final on its chain */
    tx_hash: string;
    /** CAIP-2 */
    chain: string;
    /** Net amount delivered, after platform_fee */
    destination_amount: number;
    /** In the destination currency */
    platform_fee: number;
    /** ISO 8601 in UTC, with milliseconds */
    executed_at: string;
  };
  /** A settlement was not paid and will not be */
  "settlement.failed": {
    tx_id: string;
    /** The partner's reference; null until confirmation */
    external_tx_id: string | null;
    status: "failed";
    /** CAIP-2 */
    chain: string;
    /** Net amount delivered, after platform_fee */
    destination_amount: number;
    /** In the destination currency */
    platform_fee: number;
    /** Why nothing was paid, in a sentence */
    failure_reason: string;
  };
}


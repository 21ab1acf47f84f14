// Written by scripts/openapi.ts out of the service's OpenAPI document: do not edit it.

export type Settlement = {
  /** The settlement's id, tx_… */
  tx_id: string;
  /** Its batch, with which it is confirmed and decided; null: it is on its own */
  batch_id: string | null;
  /** The partner's reference; null until confirmation, but for an item of a batch */
  external_tx_id: string | null;
  /** How far it has come; executed, failed and cancelled are final */
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled";
  /** An operator's approval: while pending it cannot be confirmed; null: it needs none */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** Minor units of the source currency */
  source_amount: number;
  /** Fiat that the partner takes in, ISO 4217 */
  source_currency: string;
  /** Symbol of the token that is paid out */
  destination_currency: string;
  /** The partner's own name for the merchant who is paid */
  external_merchant_id: string;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** The merchant's wallet on the chain, where the crypto goes */
  wallet_address: string;
  /** Net amount that the wallet gets, in units of the destination currency: after platform_fee, rounded down. At most 15 digits: read it as a decimal */
  destination_amount: number;
  /** Fixed fee, in units of the destination currency. At most 15 digits: read it as a decimal */
  platform_fee: number;
  /** Destination units per one major unit of the source currency, such as 0.0077 USDT per KES. At most 15 digits: read it as a decimal */
  exchange_rate: number;
  /** Before this instant the quote can be confirmed; approval sets a new one */
  expires_at: string;
  /** Where callbacks go: as given at confirmation, before that at creation; null until one is given */
  callback_url: string | null;
  /** When it was created */
  created_at: string;
  /** When it was confirmed; null until then */
  confirmed_at: string | null;
  /** When it was cancelled or rejected; null: it was neither */
  cancelled_at: string | null;
  /** When it was approved or rejected; null: neither yet, or it needs no approval */
  approval_decided_at: string | null;
  /** Why it was rejected, in words; null: it was not */
  rejection_reason: string | null;
  /** Why a payment that is processing does not move; null: it moves, or nothing is to be paid */
  waiting_reason: "treasury_funding" | "chain_unavailable" | "review" | "hold" | null;
  /** Since when it waits for that; null where waiting_reason is */
  waiting_since: string | null;
  /** The transaction that paid; present when executed */
  tx_hash?: string | undefined;
  /** When the payment was final on the chain; present when executed */
  executed_at?: string | undefined;
  /** Why nothing was paid, in a sentence; present when failed */
  failure_reason?: string | undefined;
  /** Callbacks that were given up after six attempts; usually empty */
  undelivered_callbacks: Array<{
    /** The callback's id, cb_…; the header webhook-id of every attempt */
    id: string;
    /** What has happened */
    event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
    /** Where it is sent */
    callback_url: string;
    /** When it was created */
    created_at: string;
    /** When it was given up: the end of the sixth attempt */
    undelivered_at: string;
    /** Those since it was created or last resent */
    attempts: Array<CallbackAttempt>;
    /** The body that was sent, as it was sent */
    payload: Record<string, unknown>;
  }>;
};

export type Event = {
  /** The event's id, ev_… */
  id: string;
  /** What has happened */
  type: "settlement.created" | "settlement.approved" | "settlement.rejected" | "settlement.confirmed" | "settlement.cancelled" | "settlement.held" | "settlement.released" | "settlement.executed" | "settlement.failed" | "batch.created" | "batch.approved" | "batch.rejected" | "batch.confirmed" | "batch.cancelled" | "batch.completed" | "withdrawal.created" | "withdrawal.processing" | "withdrawal.completed" | "withdrawal.failed" | "topup.created" | "topup.processing" | "topup.completed" | "topup.failed" | "member.safe_deployed" | "member.safe_failed" | "callback.undelivered" | "destination.paused";
  /** When it happened */
  created_at: string;
  /** What it has happened to */
  object_type: "settlement" | "batch" | "withdrawal" | "topup" | "member" | "callback" | "destination";
  /** Its id: tx_…, ba_…, wd_…, tu_…, cb_…, de_…, or a member's */
  object_id: string;
  /** Rises by one for each event of the object */
  version: number;
  /** What the GET of the object answered at that version */
  data: Record<string, unknown>;
};

export type EventDestination = {
  /** The destination's id, de_… */
  id: string;
  /** How it gets events */
  type: "webhook" | "amqp" | "nats";
  /** Where it gets them, without credentials */
  url: string;
  /** Which events it gets: types, or all of one kind such as settlement.* */
  types: Array<string>;
  /** What your people know it by; empty when left out */
  description: string;
  /** active: it gets events; paused: they wait */
  status: "active" | "paused";
  /** What its requests are signed with, whsec_…; at creation, this once */
  secret?: string | undefined;
  /** When it was created */
  created_at: string;
  /** When an event last reached it; null: none has */
  last_delivered_at: string | null;
  /** When the first attempt failed that nothing has succeeded since; null: it works. A day later it is paused */
  failing_since: string | null;
  /** Why the last attempt failed; null: it did not */
  last_error: string | null;
  /** When it is tried again; null: as soon as there is an event */
  next_attempt_at: string | null;
  /** When it was paused; null: it is active */
  paused_at: string | null;
  /** The last test event; null: there was none */
  last_test: {
    /** When it was asked for */
    asked_at: string;
    /** When it ended; null: it is under way */
    ended_at: string | null;
    /** Whether it was delivered; null: it is under way */
    delivered: boolean | null;
    /** Why it was not delivered; null: it was, or is under way */
    error: string | null;
  } | null;
};

export type EventDestinationList = {
  /** All of them, the oldest first: 10 at most */
  data: Array<EventDestination>;
};

export type EventDestinationCreate = {
  /** webhook: each event is a POST to the URL; amqp: a persistent message to an exchange; nats: a message of a JetStream stream */
  type: "webhook" | "amqp" | "nats";
  /** A public host. webhook: https://…; amqp: amqps://USER:PASSWORD@HOST/VHOST?exchange=NAME (amq.topic when left out; the routing key is the type); nats: tls://USER:PASSWORD@HOST?subject=PREFIX (events when left out; then comes the type). Credentials are never shown again */
  url: string;
  /** Which events it gets: types, or all of one kind such as settlement.* */
  types: Array<string>;
  /** What your people will know it by */
  description?: string | undefined;
};

export type EventDestinationChange = {
  /** Which events it gets: types, or all of one kind such as settlement.* */
  types?: Array<string> | undefined;
  /** What your people will know it by */
  description?: string | undefined;
  /** paused: events wait; active: it gets them, also those that have waited */
  status?: "active" | "paused" | undefined;
};

export type Batch = {
  /** The batch's id, ba_… */
  batch_id: string;
  /** The partner's own name for the batch */
  external_batch_id: string;
  /** How far it has come; completed (every item has ended) and cancelled are final */
  status: "quoted" | "processing" | "completed" | "cancelled";
  /** An operator's approval of all items together: while pending it cannot be confirmed; null: it needs none */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** How many items it has */
  item_count: number;
  /** How many of its items have which status */
  counts: {
    /** How many items are quoted */
    quoted: number;
    /** How many items are processing */
    processing: number;
    /** How many items are executed */
    executed: number;
    /** How many items are failed */
    failed: number;
    /** How many items are cancelled */
    cancelled: number;
  };
  /** What its items come to, for each pair of currencies */
  totals: Array<{
    /** Fiat that is paid in, ISO 4217 */
    source_currency: string;
    /** Minor units of the source currency, of all items of the pair together */
    source_amount: number;
    /** Symbol of the token that is paid out */
    destination_currency: string;
    /** What their wallets get together, in units of the destination currency. At most 15 digits: read it as a decimal */
    destination_amount: number;
    /** Their fees together, in units of the destination currency. At most 15 digits: read it as a decimal */
    platform_fee: number;
  }>;
  /** The earliest of its items': before this instant it can be confirmed */
  expires_at: string;
  /** Where batch.completed goes; null until one is given */
  callback_url: string | null;
  /** When it was created */
  created_at: string;
  /** When it was confirmed; null until then */
  confirmed_at: string | null;
  /** When its last item ended; null until then */
  completed_at: string | null;
};

export type BatchWithItems = {
  /** The batch's id, ba_… */
  batch_id: string;
  /** The partner's own name for the batch */
  external_batch_id: string;
  /** How far it has come; completed (every item has ended) and cancelled are final */
  status: "quoted" | "processing" | "completed" | "cancelled";
  /** An operator's approval of all items together: while pending it cannot be confirmed; null: it needs none */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** How many items it has */
  item_count: number;
  /** How many of its items have which status */
  counts: {
    /** How many items are quoted */
    quoted: number;
    /** How many items are processing */
    processing: number;
    /** How many items are executed */
    executed: number;
    /** How many items are failed */
    failed: number;
    /** How many items are cancelled */
    cancelled: number;
  };
  /** What its items come to, for each pair of currencies */
  totals: Array<{
    /** Fiat that is paid in, ISO 4217 */
    source_currency: string;
    /** Minor units of the source currency, of all items of the pair together */
    source_amount: number;
    /** Symbol of the token that is paid out */
    destination_currency: string;
    /** What their wallets get together, in units of the destination currency. At most 15 digits: read it as a decimal */
    destination_amount: number;
    /** Their fees together, in units of the destination currency. At most 15 digits: read it as a decimal */
    platform_fee: number;
  }>;
  /** The earliest of its items': before this instant it can be confirmed */
  expires_at: string;
  /** Where batch.completed goes; null until one is given */
  callback_url: string | null;
  /** When it was created */
  created_at: string;
  /** When it was confirmed; null until then */
  confirmed_at: string | null;
  /** When its last item ended; null until then */
  completed_at: string | null;
  /** Its settlements, in the order in which they were sent */
  items: Array<Settlement>;
};

export type BatchEstimate = {
  /** null: an estimate has none */
  batch_id: string | null;
  /** null: an estimate has none */
  external_batch_id: string | null;
  /** How far it has come; completed (every item has ended) and cancelled are final */
  status: "quoted" | "processing" | "completed" | "cancelled";
  /** An operator's approval of all items together: while pending it cannot be confirmed; null: it needs none */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** How many items it has */
  item_count: number;
  /** How many of its items have which status */
  counts: {
    /** How many items are quoted */
    quoted: number;
    /** How many items are processing */
    processing: number;
    /** How many items are executed */
    executed: number;
    /** How many items are failed */
    failed: number;
    /** How many items are cancelled */
    cancelled: number;
  };
  /** What its items come to, for each pair of currencies */
  totals: Array<{
    /** Fiat that is paid in, ISO 4217 */
    source_currency: string;
    /** Minor units of the source currency, of all items of the pair together */
    source_amount: number;
    /** Symbol of the token that is paid out */
    destination_currency: string;
    /** What their wallets get together, in units of the destination currency. At most 15 digits: read it as a decimal */
    destination_amount: number;
    /** Their fees together, in units of the destination currency. At most 15 digits: read it as a decimal */
    platform_fee: number;
  }>;
  /** The earliest of its items': before this instant it can be confirmed */
  expires_at: string;
  /** Where batch.completed goes; null until one is given */
  callback_url: string | null;
  /** When it was created */
  created_at: string;
  /** When it was confirmed; null until then */
  confirmed_at: string | null;
  /** When its last item ended; null until then */
  completed_at: string | null;
  /** What each would cost, in the order in which they were sent */
  items: Array<EstimatedSettlement>;
};

export type EstimatedSettlement = {
  /** null: an estimate has none */
  tx_id: string | null;
  /** Its batch, with which it is confirmed and decided; null: it is on its own */
  batch_id: string | null;
  /** The partner's reference; null until confirmation, but for an item of a batch */
  external_tx_id: string | null;
  /** How far it has come; executed, failed and cancelled are final */
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled";
  /** An operator's approval: while pending it cannot be confirmed; null: it needs none */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** Minor units of the source currency */
  source_amount: number;
  /** Fiat that the partner takes in, ISO 4217 */
  source_currency: string;
  /** Symbol of the token that is paid out */
  destination_currency: string;
  /** The partner's own name for the merchant who is paid */
  external_merchant_id: string;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** The merchant's wallet on the chain, where the crypto goes */
  wallet_address: string;
  /** Net amount that the wallet gets, in units of the destination currency: after platform_fee, rounded down. At most 15 digits: read it as a decimal */
  destination_amount: number;
  /** Fixed fee, in units of the destination currency. At most 15 digits: read it as a decimal */
  platform_fee: number;
  /** Destination units per one major unit of the source currency, such as 0.0077 USDT per KES. At most 15 digits: read it as a decimal */
  exchange_rate: number;
  /** Before this instant the quote can be confirmed; approval sets a new one */
  expires_at: string;
  /** Where callbacks go: as given at confirmation, before that at creation; null until one is given */
  callback_url: string | null;
  /** When it was created */
  created_at: string;
  /** When it was confirmed; null until then */
  confirmed_at: string | null;
  /** When it was cancelled or rejected; null: it was neither */
  cancelled_at: string | null;
  /** When it was approved or rejected; null: neither yet, or it needs no approval */
  approval_decided_at: string | null;
  /** Why it was rejected, in words; null: it was not */
  rejection_reason: string | null;
  /** Why a payment that is processing does not move; null: it moves, or nothing is to be paid */
  waiting_reason: "treasury_funding" | "chain_unavailable" | "review" | "hold" | null;
  /** Since when it waits for that; null where waiting_reason is */
  waiting_since: string | null;
  /** The transaction that paid; present when executed */
  tx_hash?: string | undefined;
  /** When the payment was final on the chain; present when executed */
  executed_at?: string | undefined;
  /** Why nothing was paid, in a sentence; present when failed */
  failure_reason?: string | undefined;
  /** Callbacks that were given up after six attempts; usually empty */
  undelivered_callbacks: Array<{
    /** The callback's id, cb_…; the header webhook-id of every attempt */
    id: string;
    /** What has happened */
    event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
    /** Where it is sent */
    callback_url: string;
    /** When it was created */
    created_at: string;
    /** When it was given up: the end of the sixth attempt */
    undelivered_at: string;
    /** Those since it was created or last resent */
    attempts: Array<CallbackAttempt>;
    /** The body that was sent, as it was sent */
    payload: Record<string, unknown>;
  }>;
};

export type BatchCreate = {
  /** The partner's own name for the batch, unique among its batches */
  external_batch_id: string;
  /** 1 to 500 settlements, each as for a create */
  items: Array<BatchItem>;
  /** An absolute https URL of a public host: receives batch.completed, once every item has ended */
  callback_url?: string | undefined;
};

export type BatchItem = {
  /** Minor units of the source currency */
  source_amount: number;
  /** Fiat that is paid in, ISO 4217 */
  source_currency: string;
  /** Symbol of the token that is paid out */
  destination_currency: string;
  /** The partner's own name for the merchant who is paid */
  external_merchant_id: string;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** The merchant's wallet on the chain, where the crypto goes */
  wallet_address: string;
  /** An absolute https URL of a public host: receives the approval callback, and the terminal one unless confirmation gives another */
  callback_url?: string | undefined;
  /** The partner's reference for this payment, unique among its settlements */
  external_tx_id: string;
};

export type SettlementCreate = {
  /** Minor units of the source currency */
  source_amount: number;
  /** Fiat that is paid in, ISO 4217 */
  source_currency: string;
  /** Symbol of the token that is paid out */
  destination_currency: string;
  /** The partner's own name for the merchant who is paid */
  external_merchant_id: string;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** The merchant's wallet on the chain, where the crypto goes */
  wallet_address: string;
  /** An absolute https URL of a public host: receives the approval callback, and the terminal one unless confirmation gives another */
  callback_url?: string | undefined;
};

export type SettlementConfirm = {
  /** The settlement's id, tx_… */
  tx_id: string;
  /** The partner's reference, unique among its settlements */
  external_tx_id: string;
  /** Receives the terminal callback; required unless one was given at creation */
  callback_url?: string | undefined;
  /** Refused with quote_changed when the quote offers another amount */
  expected_destination_amount?: number | undefined;
};

export type SettlementCancel = {
  /** The settlement's id, tx_… */
  tx_id: string;
};

export type Callback = {
  /** The callback's id, cb_…; the header webhook-id of every attempt */
  id: string;
  /** What has happened */
  event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
  /** pending: attempts are due; delivered: a 2xx was answered; undelivered: given up after six attempts */
  state: "pending" | "delivered" | "undelivered";
  /** Where it is sent */
  callback_url: string;
  /** When it was created */
  created_at: string;
  /** When it was delivered; null: it is not */
  delivered_at: string | null;
  /** When the next attempt is due; null: none is */
  next_attempt_at: string | null;
  /** Every attempt that began */
  attempts: Array<{
    /** 1 to 6; null: a manual attempt, besides the six */
    number: number | null;
    /** When it was due */
    scheduled_at: string;
    /** When it began */
    sent_at: string;
    /** How long it took, in milliseconds; null while it is under way */
    duration_ms: number | null;
    /** HTTP status that the receiver answered; null: no answer came, or none yet */
    response_status: number | null;
    /** Why it did not deliver, in a sentence; null: it did, or it is under way */
    error: string | null;
    /** 1, and one more for each resend */
    series: number;
  }>;
  /** The body, as every attempt sends it */
  payload: Record<string, unknown>;
};

export type CallbackList = {
  /** The settlement's callbacks */
  data: Array<Callback>;
};

export type CallbackAttempt = {
  /** 1 to 6; null: a manual attempt, besides the six */
  number: number | null;
  /** When it was due */
  scheduled_at: string;
  /** When it began */
  sent_at: string;
  /** How long it took, in milliseconds; null while it is under way */
  duration_ms: number | null;
  /** HTTP status that the receiver answered; null: no answer came, or none yet */
  response_status: number | null;
  /** Why it did not deliver, in a sentence; null: it did, or it is under way */
  error: string | null;
};

export type Pair = {
  /** Fiat that is paid in, ISO 4217 */
  source_currency: string;
  /** Symbol of the token that is paid out */
  destination_currency: string;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** Minor units of the source currency; less is refused with amount_too_small */
  minimum_source_amount: number;
  /** Minor units of the source currency; strictly above it a settlement awaits approval */
  maximum_source_amount: number;
  /** Minor units of the source currency; strictly above it the items of a batch together await approval; null: their sum is not judged */
  batch_maximum_source_amount: number | null;
  /** Fixed fee of each settlement, in units of the destination currency. At most 15 digits: read it as a decimal */
  platform_fee: number;
  /** How many decimals amounts of the destination currency have at most; what is beyond is cut off */
  destination_decimals: number;
  /** From creation to expires_at, in seconds */
  quote_lifetime_seconds: number;
  /** down: creating a settlement is refused with 503 just now, for want of a rate, of funds or of the chain */
  quoting: "up" | "down";
};

export type PairList = {
  /** The pairs, by currencies and chain */
  data: Array<Pair>;
};

export type RatePreview = {
  /** Fiat that is paid in, ISO 4217 */
  source_currency: string;
  /** Symbol of the token that is paid out */
  destination_currency: string;
  /** Blockchain network, CAIP-2, such as eip155:1 */
  chain: string;
  /** Destination units per one major unit of the source currency, the partner's spread in it. At most 15 digits: read it as a decimal */
  exchange_rate: number;
  /** Fixed fee of each settlement, in units of the destination currency. At most 15 digits: read it as a decimal */
  platform_fee: number;
  /** When the mid rate behind it was observed */
  as_of: string;
  /** As asked, in minor units of the source currency; left out where none was asked about */
  source_amount?: number | undefined;
  /** What source_amount comes to after platform_fee, in units of the destination currency; there where source_amount is. At most 15 digits: read it as a decimal */
  destination_amount?: number | undefined;
};

export type Problem = {
  /** The error's page in the documentation */
  type: string;
  /** What the code means, in the same words each time */
  title: string;
  /** HTTP status of the answer */
  status: number;
  /** What is wrong in this case, in a sentence for people */
  detail: string;
  /** Which error it is, for programs. Codes may be added */
  code: ErrorCode;
  /** The request's id, as in the header X-Request-Id; name it when you ask the operator */
  request_id: string;
  /** The trace that the request belongs to (W3C Trace Context), where requests are traced */
  trace_id?: string | undefined;
  /** What is wrong where, for 422 */
  errors?: Array<{
    /** A JSON pointer into the body */
    pointer?: string | undefined;
    /** The name of a query parameter */
    parameter?: string | undefined;
    /** What is wrong with the value, such as required or too_long; may also be an error's code */
    code: string;
    /** The same in words, for people */
    message: string;
  }> | undefined;
  /** With invalid_state: the status that does not allow it */
  settlement_status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | undefined;
  /** With invalid_state, of a batch: the status that does not allow it */
  batch_status?: "quoted" | "processing" | "completed" | "cancelled" | undefined;
  /** With external_batch_id_conflict and batch_member: the batch */
  batch_id?: string | undefined;
  /** With quote_changed, of a batch: what each destination currency comes to now */
  current_total?: Record<string, number> | undefined;
  /** With quote_expired: when the quote ran out */
  expired_at?: string | undefined;
  /** With cursor_expired: where the oldest events begin that are still kept */
  oldest_cursor?: string | undefined;
  /** With quote_expired and stale_timestamp: what time it is here */
  server_time?: string | undefined;
  /** With stale_timestamp: how many seconds the timestamp is ahead of server time; null: it is no number of seconds */
  skew_seconds?: number | null | undefined;
  /** With quote_changed: the destination_amount that the quote offers now. At most 15 digits: read it as a decimal */
  current_destination_amount?: number | undefined;
  /** With signature_mismatch: what was read, to find the byte that differs */
  received?: {
    /** HTTP method, upper case */
    method: string;
    /** The path, without the query */
    path: string;
    /** The query as it was on the wire, without the question mark; empty when there was none */
    query: string;
    /** Length of the body in bytes */
    body_length: number;
    /** SHA-256 of the body's bytes, hex */
    body_sha256: string;
    /** SHA-256 of the string to be signed, hex */
    signing_string_sha256: string;
  } | undefined;
  /** With scope_missing: the scope that the key lacks */
  required_scope?: string | undefined;
};

export type ErrorCode = "malformed_json" | "malformed_header" | "invalid_utf8" | "missing_credentials" | "missing_api_key" | "signature_required" | "unknown_api_key" | "revoked_api_key" | "stale_timestamp" | "invalid_nonce" | "signature_mismatch" | "nonce_reused" | "invalid_credentials" | "invalid_token" | "one_time_code_required" | "ip_not_allowed" | "scope_missing" | "partner_suspended" | "forbidden" | "step_up_required" | "person_required" | "passkey_required" | "enrolment_required" | "single_sign_on_required" | "settlement_not_found" | "callback_not_found" | "batch_not_found" | "event_not_found" | "destination_not_found" | "route_not_found" | "not_found" | "method_not_allowed" | "approval_pending" | "invalid_state" | "same_approver" | "same_person" | "external_tx_id_conflict" | "external_batch_id_conflict" | "batch_member" | "quote_changed" | "rate_moved" | "idempotency_in_progress" | "conflict" | "insufficient_liquidity" | "insufficient_funds" | "quote_expired" | "cursor_expired" | "body_too_large" | "unsupported_media_type" | "validation_failed" | "unsupported_pair" | "unsupported_chain" | "invalid_wallet_address" | "amount_too_small" | "amount_too_large" | "callback_url_not_allowed" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "rate_unavailable" | "liquidity_unavailable" | "temporarily_unavailable";

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
      /** Only those of this status */
      status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | undefined;
      /** Only those of this approval state */
      approval_state?: "pending" | "approved" | "rejected" | undefined;
      /** Only the items of this batch */
      batch_id?: string | undefined;
      /** Only the one with this reference */
      external_tx_id?: string | undefined;
      /** Only those of this merchant */
      external_merchant_id?: string | undefined;
      /** Only those paid on this network, CAIP-2 */
      chain?: string | undefined;
      /** Only those created then or later */
      created_from?: string | undefined;
      /** Only those created before then */
      created_to?: string | undefined;
      /** How many at most; 25 when left out */
      limit?: number | undefined;
      /** The next_cursor of the page before */
      cursor?: string | undefined;
    };
    body: never;
    result: {
      /** A page of settlements, newest first */
      data: Array<Settlement>;
      /** The cursor of the next page; null: this is the last */
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
      /** The settlement's id, tx_… */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** The id in the path, when it is given */
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
      /** The settlement's id, tx_… */
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
      /** The settlement's id, tx_… */
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Settlement;
  };
  /** Create up to 500 settlements together, all or none */
  create_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches";
    params: Record<string, never>;
    query: Record<string, never>;
    body: BatchCreate;
    result: BatchWithItems;
  };
  /** List batches, newest first */
  list_batches: {
    method: "GET";
    path: "/api/v1/settlement-batches";
    params: Record<string, never>;
    query: {
      /** Only those of this status */
      status?: "quoted" | "processing" | "completed" | "cancelled" | undefined;
      /** Only the one of this name */
      external_batch_id?: string | undefined;
      /** How many at most; 25 when left out */
      limit?: number | undefined;
      /** The next_cursor of the page before */
      cursor?: string | undefined;
    };
    body: never;
    result: {
      /** A page of batches, newest first */
      data: Array<Batch>;
      /** The cursor of the next page; null: this is the last */
      next_cursor: string | null;
    };
  };
  /** Say what a batch would cost; nothing is stored */
  estimate_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches/estimate";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** 1 to 500 settlements, each as for a create */
      items: Array<{
        /** Minor units of the source currency */
        source_amount: number;
        /** Fiat that is paid in, ISO 4217 */
        source_currency: string;
        /** Symbol of the token that is paid out */
        destination_currency: string;
        /** The partner's own name for the merchant who is paid */
        external_merchant_id: string;
        /** Blockchain network, CAIP-2, such as eip155:1 */
        chain: string;
        /** The merchant's wallet on the chain, where the crypto goes */
        wallet_address: string;
        /** An absolute https URL of a public host: receives the approval callback, and the terminal one unless confirmation gives another */
        callback_url?: string | undefined;
        /** The partner's reference for this payment, unique among its settlements */
        external_tx_id?: string | undefined;
      }>;
    };
    result: BatchEstimate;
  };
  /** Confirm all items of a batch, or none */
  confirm_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches/{batch_id}/confirm";
    params: {
      /** The batch's id, ba_… */
      batch_id: string;
    };
    query: Record<string, never>;
    body: {
      /** Receives batch.completed; required unless one was given at creation */
      callback_url?: string | undefined;
      /** What each destination currency comes to, such as {"USDT": 153.5}: refused with quote_changed when the batch offers another */
      expected_total?: Record<string, number> | undefined;
    };
    result: Batch;
  };
  /** Cancel a batch with all its items */
  cancel_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches/{batch_id}/cancel";
    params: {
      /** The batch's id, ba_… */
      batch_id: string;
    };
    query: Record<string, never>;
    body: Record<string, never>;
    result: Batch;
  };
  /** Give every item whose quote has run out a new one */
  requote_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches/{batch_id}/requote";
    params: {
      /** The batch's id, ba_… */
      batch_id: string;
    };
    query: Record<string, never>;
    body: Record<string, never>;
    result: Batch;
  };
  /** Get a batch; its items are listed as settlements of that batch_id */
  get_batch: {
    method: "GET";
    path: "/api/v1/settlement-batches/{batch_id}";
    params: {
      /** The batch's id, ba_… */
      batch_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Batch;
  };
  /** The quote, and once executed the receipt, signed so that anybody can check them */
  prove_settlement: {
    method: "GET";
    path: "/api/v1/settlements/{tx_id}/proof";
    params: {
      /** The settlement's id, tx_… */
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: {
      /** The settlement's id, tx_… */
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
      /** The settlement's id, tx_… */
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: CallbackList;
  };
  /** Start the six attempts of a callback again */
  resend_callback: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/resend";
    params: {
      /** The settlement's id, tx_… */
      tx_id: string;
      /** The callback's id, cb_… */
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Callback;
  };
  /** Attempt a callback once now, besides its six attempts */
  attempt_callback: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/attempt";
    params: {
      /** The settlement's id, tx_… */
      tx_id: string;
      /** The callback's id, cb_… */
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Callback;
  };
  /** Follow what changes, oldest first; wait for the next event */
  list_events: {
    method: "GET";
    path: "/api/v1/events";
    params: Record<string, never>;
    query: {
      /** Only those of these types, separated by commas; settlement.*, batch.*, withdrawal.*, topup.*, member.*, callback.*, destination.* stand for all of one kind */
      types?: string | undefined;
      /** The next_cursor of the page before; left out: from the oldest kept */
      cursor?: string | undefined;
      /** How many at most; 25 when left out */
      limit?: number | undefined;
      /** So many seconds it waits for one where there is none; 0 when left out */
      wait?: number | undefined;
    };
    body: never;
    result: {
      /** A page of events, oldest first */
      data: Array<Event>;
      /** Where to go on, also where there is none just now */
      next_cursor: string;
    };
  };
  /** Get an event */
  get_event: {
    method: "GET";
    path: "/api/v1/events/{event_id}";
    params: {
      /** The event's id, ev_… */
      event_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Event;
  };
  /** Have events sent to a URL */
  create_event_destination: {
    method: "POST";
    path: "/api/v1/event-destinations";
    params: Record<string, never>;
    query: Record<string, never>;
    body: EventDestinationCreate;
    result: EventDestination;
  };
  /** List event destinations */
  list_event_destinations: {
    method: "GET";
    path: "/api/v1/event-destinations";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: EventDestinationList;
  };
  /** Get an event destination */
  get_event_destination: {
    method: "GET";
    path: "/api/v1/event-destinations/{destination_id}";
    params: {
      /** The destination's id, de_… */
      destination_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: EventDestination;
  };
  /** Change an event destination, pause or resume it */
  change_event_destination: {
    method: "PATCH";
    path: "/api/v1/event-destinations/{destination_id}";
    params: {
      /** The destination's id, de_… */
      destination_id: string;
    };
    query: Record<string, never>;
    body: EventDestinationChange;
    result: EventDestination;
  };
  /** Delete an event destination */
  delete_event_destination: {
    method: "DELETE";
    path: "/api/v1/event-destinations/{destination_id}";
    params: {
      /** The destination's id, de_… */
      destination_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: undefined;
  };
  /** Send a test event; how it ended is in last_test */
  test_event_destination: {
    method: "POST";
    path: "/api/v1/event-destinations/{destination_id}/test";
    params: {
      /** The destination's id, de_… */
      destination_id: string;
    };
    query: Record<string, never>;
    body: Record<string, never>;
    result: EventDestination;
  };
  /** Send events again, from a moment on */
  replay_event_destination: {
    method: "POST";
    path: "/api/v1/event-destinations/{destination_id}/replay";
    params: {
      /** The destination's id, de_… */
      destination_id: string;
    };
    query: Record<string, never>;
    body: {
      /** Events of this instant and later are sent again, as far as they are kept: ISO 8601 with its zone */
      from: string;
    };
    result: EventDestination;
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
      /** Fiat that is paid in, ISO 4217 */
      source_currency: string;
      /** Symbol of the token that is paid out */
      destination_currency: string;
      /** Blockchain network, CAIP-2, such as eip155:1 */
      chain: string;
      /** Minor units of the source currency; left out: the rate and the fee alone are answered */
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
      /** The timestamp that was signed, Unix epoch seconds as sent */
      timestamp: string;
      /** HTTP method, upper case */
      method: string;
      /** The path, without the query */
      path: string;
      /** The query as it was on the wire, without the question mark; empty when there was none */
      query: string;
      /** Length of the body in bytes */
      body_length: number;
      /** SHA-256 of the body's bytes, hex */
      body_sha256: string;
      /** SHA-256 of the string to be signed, hex */
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
      /** The server's time, real time */
      now: string;
      /** The same as signatures take it: whole Unix epoch seconds */
      epoch_seconds: number;
    };
  };
  /** The public keys with which quotes, receipts and callbacks are signed */
  get_jwks: {
    method: "GET";
    path: "/.well-known/jwks.json";
    params: Record<string, never>;
    query: {
      /** The partner's id: the keys of its callbacks as well. Left out: those of proofs alone */
      partner?: string | undefined;
    };
    body: never;
    result: {
      /** The keys that sign, and older ones that are kept for checking */
      keys: Array<{
        /** Kind of key: one of an elliptic curve as RFC 8037 writes it */
        kty: "OKP";
        /** The curve */
        crv: "Ed25519";
        /** The public key, base64url */
        x: string;
        /** The key's name; a proof names in its header the one that signed it */
        kid: string;
        /** The algorithm it signs with */
        alg: "EdDSA";
        /** It signs, and nothing else */
        use: "sig";
        /** What it signs: quotes and receipts, or one partner's callbacks (`v1a`) */
        purpose: "proofs" | "callbacks";
        /** Of a key for callbacks: the same key as Standard Webhooks writes it */
        whpk?: string | undefined;
      }>;
    };
  };
  /** Whether a proof is still valid, for anyone who has it */
  get_proof_status: {
    method: "POST";
    path: "/proofs/status";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** The quote or receipt as it was shown: a JWS in compact form */
      proof: string;
    };
    result: {
      /** What the proof is */
      type: "quote" | "receipt";
      /** The settlement's id, as the proof says it (`sub`) */
      tx_id: string;
      /** Of a quote: `in_force`, `fulfilled` (paid), `awaiting_approval` (nothing is promised yet), `superseded` (another price was agreed), `expired`, `rejected`, `cancelled` or `failed`. Of a receipt: `paid`, or `reversed` while the chain shows something else than was signed */
      status: "in_force" | "fulfilled" | "awaiting_approval" | "superseded" | "expired" | "rejected" | "cancelled" | "failed" | "paid" | "reversed";
      /** Whether it may be relied on: true for `in_force`, `fulfilled` and `paid` */
      holds: boolean;
      /** As of when */
      checked_at: string;
    };
  };
  /** End a key that was found in public, for anyone who has found it with its secret */
  report_leaked_key: {
    method: "POST";
    path: "/leaked-keys";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** The key as it was found: key_live_… or key_test_… */
      api_key: string;
      /** Its secret as it was found: sec_live_… or sec_test_… */
      api_secret: string;
      /** Where it was found, such as the address of a page: the key's owners read it */
      found_at?: string | undefined;
    };
    result: {
      /** Always, also for a key that there never was: the answer reveals nothing about it */
      received: true;
    };
  };
}

export interface Webhooks {
  /** A settlement above the maximum was approved, at a new price: it can be confirmed. Goes to the URL given at creation, if any */
  "settlement.approved": {
    /** The settlement's id, tx_… */
    tx_id: string;
    /** The partner's reference; null until confirmation, but for an item of a batch */
    external_tx_id: string | null;
    /** What has happened */
    event: "settlement.approved";
    /** What it was decided; the settlement itself is still quoted */
    status: "approved";
    /** Blockchain network, CAIP-2, such as eip155:1 */
    chain: string;
    /** Minor units of the source currency */
    source_amount: number;
    /** Net amount that the wallet gets, in units of the destination currency: after platform_fee, rounded down. At most 15 digits: read it as a decimal */
    destination_amount: number;
    /** Fixed fee, in units of the destination currency. At most 15 digits: read it as a decimal */
    platform_fee: number;
    /** Until when it can be confirmed, at these amounts */
    expires_at: string;
  };
  /** A settlement was paid, and that is final */
  "settlement.executed": {
    /** The settlement's id, tx_… */
    tx_id: string;
    /** The partner's reference; null until confirmation, but for an item of a batch */
    external_tx_id: string | null;
    /** The settlement's status, final */
    status: "executed";
    /** The transaction that paid, final on its chain */
    tx_hash: string;
    /** Blockchain network, CAIP-2, such as eip155:1 */
    chain: string;
    /** Net amount that the wallet gets, in units of the destination currency: after platform_fee, rounded down. At most 15 digits: read it as a decimal */
    destination_amount: number;
    /** Fixed fee, in units of the destination currency. At most 15 digits: read it as a decimal */
    platform_fee: number;
    /** When the payment was final on the chain */
    executed_at: string;
  };
  /** A settlement was not paid and will not be */
  "settlement.failed": {
    /** The settlement's id, tx_… */
    tx_id: string;
    /** The partner's reference; null until confirmation, but for an item of a batch */
    external_tx_id: string | null;
    /** The settlement's status, final */
    status: "failed";
    /** Blockchain network, CAIP-2, such as eip155:1 */
    chain: string;
    /** Net amount that the wallet gets, in units of the destination currency: after platform_fee, rounded down. At most 15 digits: read it as a decimal */
    destination_amount: number;
    /** Fixed fee, in units of the destination currency. At most 15 digits: read it as a decimal */
    platform_fee: number;
    /** Why nothing was paid, in a sentence */
    failure_reason: string;
  };
  /** Every item of a batch has ended. Goes to the batch's URL */
  "batch.completed": Batch & {
    /** What has happened */
    event: "batch.completed";
  };
}


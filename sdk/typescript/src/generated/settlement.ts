// Written by scripts/openapi.ts out of the service's OpenAPI document: do not edit it.

export type Settlement = {
  /** The settlement's id. It begins with tx_ */
  tx_id: string;
  /** The id of the batch that the settlement belongs to. It is confirmed, cancelled and decided with that batch. Null if it belongs to no batch */
  batch_id: string | null;
  /** Your own reference. Null until you confirm the settlement. An item of a batch has it from the start */
  external_tx_id: string | null;
  /** The settlement's status. executed, failed and cancelled are final */
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled";
  /** The state of the operator's approval. While it is pending, the settlement cannot be confirmed. Null if no approval is needed */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES */
  source_amount: number;
  /** The fiat currency that you collect, as an ISO 4217 code such as KES */
  source_currency: string;
  /** The symbol of the token that the wallet receives, such as USDT */
  destination_currency: string;
  /** Your own id for the merchant that is paid */
  external_merchant_id: string;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The merchant's wallet on the chain. The crypto is sent to it */
  wallet_address: string;
  /** The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  destination_amount: number;
  /** The fixed fee, in units of destination_currency. It is already deducted from destination_amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  platform_fee: number;
  /** Units of destination_currency for one major unit of source_currency, such as 0.0077 USDT for 1 KES. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** When the quote expires. Confirm before this instant. An approval sets a new one */
  expires_at: string;
  /** The URL that callbacks are sent to: the one given at confirmation, or else the one given at creation. Null until you give one */
  callback_url: string | null;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
  metadata: Record<string, string>;
  /** When the object was created */
  created_at: string;
  /** When the object last changed */
  updated_at: string;
  /** When it was confirmed. Null until then */
  confirmed_at: string | null;
  /** When it was cancelled or rejected. Null if neither has happened */
  cancelled_at: string | null;
  /** When an operator approved or rejected it. Null until then, and if no approval is needed */
  approval_decided_at: string | null;
  /** The operator's reason for a rejection. Null if it was not rejected */
  rejection_reason: string | null;
  /** Why the payment of a processing settlement is waiting. treasury_funding: for funds. chain_unavailable: for the chain. review and hold: for the operator's people. Null if it is not waiting */
  waiting_reason: "treasury_funding" | "chain_unavailable" | "review" | "hold" | null;
  /** When the payment began to wait for waiting_reason. Null if it is not waiting */
  waiting_since: string | null;
  /** The hash of the transaction that paid: 0x and 64 hex digits on EVM and Tempo, 64 hex digits on Tron, base 58 on Solana. One transaction may pay several settlements. Present only once the status is executed */
  tx_hash?: string | undefined;
  /** When the payment became final on the chain. Present only once the status is executed */
  executed_at?: string | undefined;
  /** Why nothing was paid, in one sentence. Present only once the status is failed */
  failure_reason?: string | undefined;
  /** When it failed. Present only once the status is failed. Settlements that failed before this field existed do not have it */
  failed_at?: string | undefined;
  /** What the payment would cost us, as far as we know it when you create the settlement. Null if it is not known then. Present only in the answer that creates it */
  network_cost?: {
    /** About what the network takes for the payment, in units of currency, as it is now. Nothing of it is taken off the amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    amount: number;
    /** What the network is paid in, such as ETH, SOL, TRX or the token of the fees */
    currency: string;
    /** As in GET /api/v1/rates/preview. Null if it is not known: the amount is then that for a new holder */
    new_holder: boolean | null;
  } | null | undefined;
  /** Callbacks that could not be delivered in six attempts. Usually empty */
  undelivered_callbacks: Array<{
    /** The callback's id. It begins with cb_. Every attempt sends it in the header webhook-id */
    id: string;
    /** The event that the callback reports */
    event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
    /** The URL that the callback is sent to */
    callback_url: string;
    /** When the object was created */
    created_at: string;
    /** When the service stopped trying: the end of the sixth attempt */
    undelivered_at: string;
    /** The attempts since the callback was created or last resent */
    attempts: Array<CallbackAttempt>;
    /** The body of the callback, exactly as it was sent */
    payload: Record<string, unknown>;
  }>;
};

export type Event = {
  /** The event's id. It begins with ev_ */
  id: string;
  /** What happened, such as settlement.executed */
  type: "settlement.created" | "settlement.approved" | "settlement.rejected" | "settlement.confirmed" | "settlement.cancelled" | "settlement.held" | "settlement.released" | "settlement.executed" | "settlement.failed" | "batch.created" | "batch.approved" | "batch.rejected" | "batch.confirmed" | "batch.cancelled" | "batch.completed" | "withdrawal.created" | "withdrawal.processing" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "topup.created" | "topup.processing" | "topup.completed" | "topup.failed" | "topup.cancelled" | "member.safe_deployed" | "member.safe_failed" | "callback.undelivered" | "destination.paused";
  /** When the event happened */
  created_at: string;
  /** The kind of object that the event is about */
  object_type: "settlement" | "batch" | "withdrawal" | "topup" | "member" | "callback" | "destination";
  /** The id of that object. It begins with tx_, ba_, wd_, tu_, cb_ or de_. The id of a member is a UUID */
  object_id: string;
  /** The version of the object. It rises by one with each event of the object */
  version: number;
  /** The object at that version, as its GET operation answered */
  data: Record<string, unknown>;
};

export type EventDestination = {
  /** The destination's id. It begins with de_ */
  id: string;
  /** How events are sent: webhook, amqp or nats */
  type: "webhook" | "amqp" | "nats";
  /** The address that events are sent to, without credentials */
  url: string;
  /** The types of event to send. A pattern such as settlement.* means all types of one object */
  types: Array<string>;
  /** The description for your own people. Empty if none was given */
  description: string;
  /** active: events are sent. paused: events wait */
  status: "active" | "paused";
  /** The secret that signs the requests. It begins with whsec_. Present only in the answer to the creation */
  secret?: string | undefined;
  /** When the object was created */
  created_at: string;
  /** When an event was last delivered. Null if none has been */
  last_delivered_at: string | null;
  /** When the current series of failures began. After a day of failures the destination is paused. Null if the last attempt succeeded */
  failing_since: string | null;
  /** Why the last attempt failed. Null if it did not fail */
  last_error: string | null;
  /** When the next attempt is due after a failure. Null if the next event is sent at once */
  next_attempt_at: string | null;
  /** When the destination was paused. Null if it is active */
  paused_at: string | null;
  /** The last test event. Null if there was none */
  last_test: {
    /** When the test was requested */
    asked_at: string;
    /** When the test ended. Null while it is in progress */
    ended_at: string | null;
    /** Whether the test event was delivered. Null while the test is in progress */
    delivered: boolean | null;
    /** Why the test event was not delivered. Null if it was, or while the test is in progress */
    error: string | null;
  } | null;
};

export type EventDestinationList = {
  /** All event destinations, oldest first. There can be 10 at most */
  data: Array<EventDestination>;
};

export type EventDestinationCreate = {
  /** How events are sent. webhook: each event is a POST to the URL. amqp: each event is a persistent message to an exchange. nats: each event is a message in a JetStream stream */
  type: "webhook" | "amqp" | "nats";
  /** The address, on a public host. webhook: https://… amqp: amqps://USER:PASSWORD@HOST/VHOST?exchange=NAME; the default exchange is amq.topic, and the routing key is the event's type. nats: tls://USER:PASSWORD@HOST?subject=PREFIX; the default prefix is events, and the event's type follows it. Credentials are never shown again */
  url: string;
  /** The types of event to send. A pattern such as settlement.* means all types of one object */
  types: Array<string>;
  /** A description for your own people */
  description?: string | undefined;
};

export type EventDestinationChange = {
  /** The types of event to send. A pattern such as settlement.* means all types of one object */
  types?: Array<string> | undefined;
  /** A description for your own people */
  description?: string | undefined;
  /** paused: events wait. active: events are sent, including those that waited */
  status?: "active" | "paused" | undefined;
};

export type Batch = {
  /** The batch's id. It begins with ba_ */
  batch_id: string;
  /** Your own id for the batch */
  external_batch_id: string;
  /** The batch's status. completed means that every item has ended. completed and cancelled are final */
  status: "quoted" | "processing" | "completed" | "cancelled";
  /** The state of the operator's approval, for all items together. While it is pending, the batch cannot be confirmed. Null if no approval is needed */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** The number of items in the batch */
  item_count: number;
  /** The number of items by status */
  counts: {
    /** The number of items with status quoted */
    quoted: number;
    /** The number of items with status processing */
    processing: number;
    /** The number of items with status executed */
    executed: number;
    /** The number of items with status failed */
    failed: number;
    /** The number of items with status cancelled */
    cancelled: number;
  };
  /** The sums of the items, one entry for each pair of currencies */
  totals: Array<{
    /** The fiat currency that you collect, as an ISO 4217 code such as KES */
    source_currency: string;
    /** The sum of the pair's items, in minor units of source_currency */
    source_amount: number;
    /** The symbol of the token that the wallets receive, such as USDT */
    destination_currency: string;
    /** The sum that the wallets receive, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    destination_amount: number;
    /** The sum of the fees, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    platform_fee: number;
  }>;
  /** When the first quote among the items expires. Confirm the batch before this instant */
  expires_at: string;
  /** The URL that receives batch.completed. Null until you give one */
  callback_url: string | null;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
  metadata: Record<string, string>;
  /** When the object was created */
  created_at: string;
  /** When it was confirmed. Null until then */
  confirmed_at: string | null;
  /** When the last item ended. Null until then */
  completed_at: string | null;
};

export type BatchWithItems = {
  /** The batch's id. It begins with ba_ */
  batch_id: string;
  /** Your own id for the batch */
  external_batch_id: string;
  /** The batch's status. completed means that every item has ended. completed and cancelled are final */
  status: "quoted" | "processing" | "completed" | "cancelled";
  /** The state of the operator's approval, for all items together. While it is pending, the batch cannot be confirmed. Null if no approval is needed */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** The number of items in the batch */
  item_count: number;
  /** The number of items by status */
  counts: {
    /** The number of items with status quoted */
    quoted: number;
    /** The number of items with status processing */
    processing: number;
    /** The number of items with status executed */
    executed: number;
    /** The number of items with status failed */
    failed: number;
    /** The number of items with status cancelled */
    cancelled: number;
  };
  /** The sums of the items, one entry for each pair of currencies */
  totals: Array<{
    /** The fiat currency that you collect, as an ISO 4217 code such as KES */
    source_currency: string;
    /** The sum of the pair's items, in minor units of source_currency */
    source_amount: number;
    /** The symbol of the token that the wallets receive, such as USDT */
    destination_currency: string;
    /** The sum that the wallets receive, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    destination_amount: number;
    /** The sum of the fees, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    platform_fee: number;
  }>;
  /** When the first quote among the items expires. Confirm the batch before this instant */
  expires_at: string;
  /** The URL that receives batch.completed. Null until you give one */
  callback_url: string | null;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
  metadata: Record<string, string>;
  /** When the object was created */
  created_at: string;
  /** When it was confirmed. Null until then */
  confirmed_at: string | null;
  /** When the last item ended. Null until then */
  completed_at: string | null;
  /** The settlements of the batch, in the order in which you sent them */
  items: Array<Settlement>;
};

export type BatchEstimate = {
  /** Always null: an estimate is not stored */
  batch_id: string | null;
  /** Always null: an estimate is not stored */
  external_batch_id: string | null;
  /** The batch's status. completed means that every item has ended. completed and cancelled are final */
  status: "quoted" | "processing" | "completed" | "cancelled";
  /** The state of the operator's approval, for all items together. While it is pending, the batch cannot be confirmed. Null if no approval is needed */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** The number of items in the batch */
  item_count: number;
  /** The number of items by status */
  counts: {
    /** The number of items with status quoted */
    quoted: number;
    /** The number of items with status processing */
    processing: number;
    /** The number of items with status executed */
    executed: number;
    /** The number of items with status failed */
    failed: number;
    /** The number of items with status cancelled */
    cancelled: number;
  };
  /** The sums of the items, one entry for each pair of currencies */
  totals: Array<{
    /** The fiat currency that you collect, as an ISO 4217 code such as KES */
    source_currency: string;
    /** The sum of the pair's items, in minor units of source_currency */
    source_amount: number;
    /** The symbol of the token that the wallets receive, such as USDT */
    destination_currency: string;
    /** The sum that the wallets receive, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    destination_amount: number;
    /** The sum of the fees, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    platform_fee: number;
  }>;
  /** When the first quote among the items expires. Confirm the batch before this instant */
  expires_at: string;
  /** The URL that receives batch.completed. Null until you give one */
  callback_url: string | null;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
  metadata: Record<string, string>;
  /** When the object was created */
  created_at: string;
  /** When it was confirmed. Null until then */
  confirmed_at: string | null;
  /** When the last item ended. Null until then */
  completed_at: string | null;
  /** The price of each item, in the order in which you sent them */
  items: Array<EstimatedSettlement>;
};

export type EstimatedSettlement = {
  /** Always null: an estimate is not stored */
  tx_id: string | null;
  /** The id of the batch that the settlement belongs to. It is confirmed, cancelled and decided with that batch. Null if it belongs to no batch */
  batch_id: string | null;
  /** Your own reference. Null until you confirm the settlement. An item of a batch has it from the start */
  external_tx_id: string | null;
  /** The settlement's status. executed, failed and cancelled are final */
  status: "quoted" | "processing" | "executed" | "failed" | "cancelled";
  /** The state of the operator's approval. While it is pending, the settlement cannot be confirmed. Null if no approval is needed */
  approval_state: "pending" | "approved" | "rejected" | null;
  /** The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES */
  source_amount: number;
  /** The fiat currency that you collect, as an ISO 4217 code such as KES */
  source_currency: string;
  /** The symbol of the token that the wallet receives, such as USDT */
  destination_currency: string;
  /** Your own id for the merchant that is paid */
  external_merchant_id: string;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The merchant's wallet on the chain. The crypto is sent to it */
  wallet_address: string;
  /** The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  destination_amount: number;
  /** The fixed fee, in units of destination_currency. It is already deducted from destination_amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  platform_fee: number;
  /** Units of destination_currency for one major unit of source_currency, such as 0.0077 USDT for 1 KES. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** When the quote expires. Confirm before this instant. An approval sets a new one */
  expires_at: string;
  /** The URL that callbacks are sent to: the one given at confirmation, or else the one given at creation. Null until you give one */
  callback_url: string | null;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. Empty if you gave none */
  metadata: Record<string, string>;
  /** When the object was created */
  created_at: string;
  /** When the object last changed */
  updated_at: string;
  /** When it was confirmed. Null until then */
  confirmed_at: string | null;
  /** When it was cancelled or rejected. Null if neither has happened */
  cancelled_at: string | null;
  /** When an operator approved or rejected it. Null until then, and if no approval is needed */
  approval_decided_at: string | null;
  /** The operator's reason for a rejection. Null if it was not rejected */
  rejection_reason: string | null;
  /** Why the payment of a processing settlement is waiting. treasury_funding: for funds. chain_unavailable: for the chain. review and hold: for the operator's people. Null if it is not waiting */
  waiting_reason: "treasury_funding" | "chain_unavailable" | "review" | "hold" | null;
  /** When the payment began to wait for waiting_reason. Null if it is not waiting */
  waiting_since: string | null;
  /** The hash of the transaction that paid: 0x and 64 hex digits on EVM and Tempo, 64 hex digits on Tron, base 58 on Solana. One transaction may pay several settlements. Present only once the status is executed */
  tx_hash?: string | undefined;
  /** When the payment became final on the chain. Present only once the status is executed */
  executed_at?: string | undefined;
  /** Why nothing was paid, in one sentence. Present only once the status is failed */
  failure_reason?: string | undefined;
  /** When it failed. Present only once the status is failed. Settlements that failed before this field existed do not have it */
  failed_at?: string | undefined;
  /** Callbacks that could not be delivered in six attempts. Usually empty */
  undelivered_callbacks: Array<{
    /** The callback's id. It begins with cb_. Every attempt sends it in the header webhook-id */
    id: string;
    /** The event that the callback reports */
    event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
    /** The URL that the callback is sent to */
    callback_url: string;
    /** When the object was created */
    created_at: string;
    /** When the service stopped trying: the end of the sixth attempt */
    undelivered_at: string;
    /** The attempts since the callback was created or last resent */
    attempts: Array<CallbackAttempt>;
    /** The body of the callback, exactly as it was sent */
    payload: Record<string, unknown>;
  }>;
};

export type BatchCreate = {
  /** Your own id for the batch, unique among your batches */
  external_batch_id: string;
  /** 1 to 500 settlements. Each item has the fields of a create */
  items: Array<BatchItem>;
  /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives batch.completed once every item has ended */
  callback_url?: string | undefined;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each */
  metadata?: Record<string, string> | undefined;
};

export type BatchItem = {
  /** The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES */
  source_amount: number;
  /** The fiat currency that you collect, as an ISO 4217 code such as KES */
  source_currency: string;
  /** The symbol of the token that the wallet receives, such as USDT */
  destination_currency: string;
  /** Your own id for the merchant that is paid */
  external_merchant_id: string;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The merchant's wallet on the chain. The crypto is sent to it. 0x and 40 hex digits on EVM and Tempo, base 58 on Solana and Tron */
  wallet_address: string;
  /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the callback of an approval, and the final callback unless you give another URL at confirmation */
  callback_url?: string | undefined;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each */
  metadata?: Record<string, string> | undefined;
  /** Your own reference for this payment, unique among your settlements */
  external_tx_id: string;
};

export type SettlementCreate = {
  /** The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES */
  source_amount: number;
  /** The fiat currency that you collect, as an ISO 4217 code such as KES */
  source_currency: string;
  /** The symbol of the token that the wallet receives, such as USDT */
  destination_currency: string;
  /** Your own id for the merchant that is paid */
  external_merchant_id: string;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The merchant's wallet on the chain. The crypto is sent to it. 0x and 40 hex digits on EVM and Tempo, base 58 on Solana and Tron */
  wallet_address: string;
  /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the callback of an approval, and the final callback unless you give another URL at confirmation */
  callback_url?: string | undefined;
  /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each */
  metadata?: Record<string, string> | undefined;
};

export type SettlementConfirm = {
  /** The settlement's id. It begins with tx_ */
  tx_id: string;
  /** Your own reference, unique among your settlements */
  external_tx_id: string;
  /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the final callback. Required unless you gave one at creation */
  callback_url?: string | undefined;
  /** The destination_amount that you expect, in units of destination_currency. If the quote offers another amount, the request is refused with quote_changed */
  expected_destination_amount?: number | undefined;
};

export type SettlementCancel = {
  /** The settlement's id. It begins with tx_ */
  tx_id: string;
};

export type Callback = {
  /** The callback's id. It begins with cb_. Every attempt sends it in the header webhook-id */
  id: string;
  /** The event that the callback reports */
  event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "withdrawal.completed" | "withdrawal.failed" | "topup.completed" | "topup.failed";
  /** pending: attempts are still due. delivered: your receiver answered 2xx. undelivered: six attempts failed */
  state: "pending" | "delivered" | "undelivered";
  /** The URL that the callback is sent to */
  callback_url: string;
  /** When the object was created */
  created_at: string;
  /** When the callback was delivered. Null until then */
  delivered_at: string | null;
  /** When the next attempt is due. Null if none is due */
  next_attempt_at: string | null;
  /** Every attempt so far */
  attempts: Array<{
    /** The number of the attempt, 1 to 6. Null for an attempt that a person requested in addition to the six */
    number: number | null;
    /** When the attempt was due */
    scheduled_at: string;
    /** When the attempt began */
    sent_at: string;
    /** How long the attempt took, in milliseconds. Null while it is in progress */
    duration_ms: number | null;
    /** The HTTP status that your receiver answered. Null if no answer came, or the attempt is in progress */
    response_status: number | null;
    /** Why the attempt failed, in one sentence. Null if it succeeded or is in progress */
    error: string | null;
    /** The series that the attempt belongs to: 1 at first, and one higher after each resend */
    series: number;
  }>;
  /** The body of the callback. Every attempt sends the same bytes */
  payload: Record<string, unknown>;
};

export type CallbackList = {
  /** The callbacks of the settlement */
  data: Array<Callback>;
};

export type OwnCallback = {
  /** The callback's id. It begins with cb_. Every attempt sends it in the header webhook-id */
  id: string;
  /** What happened. New events may be added */
  event: "settlement.approved" | "settlement.executed" | "settlement.failed" | "batch.completed" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "topup.completed" | "topup.failed" | "topup.cancelled";
  /** pending: attempts are still due. delivered: your receiver answered 2xx. undelivered: six attempts failed */
  state: "pending" | "delivered" | "undelivered";
  /** The URL that the callback is sent to */
  callback_url: string;
  /** When the object was created */
  created_at: string;
  /** When the callback was delivered. Null until then */
  delivered_at: string | null;
  /** When the next attempt is due. Null if none is due */
  next_attempt_at: string | null;
  /** Every attempt so far */
  attempts: Array<{
    /** The number of the attempt, 1 to 6. Null for an attempt that a person requested in addition to the six */
    number: number | null;
    /** When the attempt was due */
    scheduled_at: string;
    /** When the attempt began */
    sent_at: string;
    /** How long the attempt took, in milliseconds. Null while it is in progress */
    duration_ms: number | null;
    /** The HTTP status that your receiver answered. Null if no answer came, or the attempt is in progress */
    response_status: number | null;
    /** Why the attempt failed, in one sentence. Null if it succeeded or is in progress */
    error: string | null;
    /** The series that the attempt belongs to: 1 at first, and one higher after each resend */
    series: number;
  }>;
  /** The body of the callback. Every attempt sends the same bytes */
  payload: Record<string, unknown>;
  /** The id of the settlement, batch, withdrawal or top-up that it is about */
  object_id: string;
};

export type OwnCallbackList = {
  /** A page of callbacks, newest first */
  data: Array<OwnCallback>;
  /** The cursor of the next page. Null if this is the last page */
  next_cursor: string | null;
};

export type CallbackAttempt = {
  /** The number of the attempt, 1 to 6. Null for an attempt that a person requested in addition to the six */
  number: number | null;
  /** When the attempt was due */
  scheduled_at: string;
  /** When the attempt began */
  sent_at: string;
  /** How long the attempt took, in milliseconds. Null while it is in progress */
  duration_ms: number | null;
  /** The HTTP status that your receiver answered. Null if no answer came, or the attempt is in progress */
  response_status: number | null;
  /** Why the attempt failed, in one sentence. Null if it succeeded or is in progress */
  error: string | null;
};

export type Pair = {
  /** The fiat currency that you collect, as an ISO 4217 code such as KES */
  source_currency: string;
  /** The symbol of the token that the wallet receives, such as USDT */
  destination_currency: string;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** The smallest amount, in minor units of source_currency. A smaller amount is refused with amount_too_small */
  minimum_source_amount: number;
  /** The largest amount that needs no approval, in minor units of source_currency. A larger settlement waits for an operator's approval */
  maximum_source_amount: number;
  /** The largest sum of a batch that needs no approval, in minor units of source_currency. A larger batch waits for an operator's approval. Null if the sum has no limit */
  batch_maximum_source_amount: number | null;
  /** The fixed fee of each settlement, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  platform_fee: number;
  /** The most decimals that an amount in destination_currency has. Further decimals are cut off */
  destination_decimals: number;
  /** The lifetime of a quote, from creation to expires_at, in seconds */
  quote_lifetime_seconds: number;
  /** Whether you can get quotes right now. down: creating a settlement is refused with 503, because a rate, funds or the chain are missing */
  quoting: "up" | "down";
};

export type PairList = {
  /** The pairs, sorted by currencies and chain */
  data: Array<Pair>;
};

export type RatePreview = {
  /** The fiat currency that you collect, as an ISO 4217 code such as KES */
  source_currency: string;
  /** The symbol of the token that the wallet receives, such as USDT */
  destination_currency: string;
  /** The blockchain network as a CAIP-2 id, such as eip155:1 */
  chain: string;
  /** Units of destination_currency for one major unit of source_currency. Your spread is included. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  exchange_rate: number;
  /** The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit */
  rate_unit: string;
  /** The fixed fee of each settlement, in units of destination_currency. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  platform_fee: number;
  /** When the underlying mid rate was observed */
  as_of: string;
  /** The amount that you asked about, in minor units of source_currency. Absent if you gave none */
  source_amount?: number | undefined;
  /** The net amount for source_amount after platform_fee, in units of destination_currency. Present only if source_amount is. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  destination_amount?: number | undefined;
  /** What the payment to wallet_address would cost us. Null if the network does not say so just now. Present only if wallet_address is */
  network_cost?: {
    /** About what the network takes for the payment, in units of currency, as it is now. Nothing of it is taken off the amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    amount: number;
    /** What the network is paid in, such as ETH, SOL, TRX or the token of the fees */
    currency: string;
    /** Whether the wallet has none of the token yet. Its account on Solana, or the first transfer to it on Tron, costs more */
    new_holder: boolean;
  } | null | undefined;
};

export type Problem = {
  /** The URL of the error's page in the documentation */
  type: string;
  /** What the code means. The same text each time */
  title: string;
  /** The HTTP status of the answer */
  status: number;
  /** What is wrong in this case, in one sentence for people */
  detail: string;
  /** The error code, for programs. New codes may be added */
  code: ErrorCode;
  /** The request's id, as in the header X-Request-Id. Give it when you ask the operator for help */
  request_id: string;
  /** The id of the request's trace (W3C Trace Context). Present only if requests are traced */
  trace_id?: string | undefined;
  /** Each fault and its place. Present with status 422 */
  errors?: Array<{
    /** A JSON pointer to the value in the body */
    pointer?: string | undefined;
    /** The name of a query parameter */
    parameter?: string | undefined;
    /** What is wrong with the value, such as required or too_long. It may also be an error code */
    code: string;
    /** The same, in words for people */
    message: string;
  }> | undefined;
  /** With invalid_state: the status that does not allow it */
  settlement_status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | undefined;
  /** With invalid_state, of a batch: the status that does not allow it */
  batch_status?: "quoted" | "processing" | "completed" | "cancelled" | undefined;
  /** With external_batch_id_conflict and batch_member: the id of the batch */
  batch_id?: string | undefined;
  /** With quote_changed, of a batch: the total that it offers now in each destination currency */
  current_total?: Record<string, number> | undefined;
  /** With quote_expired: when the quote expired */
  expired_at?: string | undefined;
  /** With cursor_expired: the cursor of the oldest events that are still kept */
  oldest_cursor?: string | undefined;
  /** With quote_expired and stale_timestamp: the server's time */
  server_time?: string | undefined;
  /** With stale_timestamp: how far your timestamp is ahead of the server's time, in seconds. Negative if it is behind, null if it is not a number */
  skew_seconds?: number | null | undefined;
  /** With quote_changed: the destination_amount that the quote offers now. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
  current_destination_amount?: number | undefined;
  /** With signature_mismatch: what the server read. Compare it with what you signed */
  received?: {
    /** The HTTP method, in upper case */
    method: string;
    /** The path without the query string */
    path: string;
    /** The query string exactly as it was sent, without the question mark. Empty if there was none */
    query: string;
    /** The length of the body, in bytes */
    body_length: number;
    /** The SHA-256 hash of the body's bytes, in hex */
    body_sha256: string;
    /** The SHA-256 hash of the string to sign, in hex */
    signing_string_sha256: string;
  } | undefined;
  /** With scope_missing: the scope that the API key lacks */
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
      /** Return only settlements with this status */
      status?: "quoted" | "processing" | "executed" | "failed" | "cancelled" | undefined;
      /** Return only settlements with one of these statuses, separated by commas, such as executed,failed */
      statuses?: string | undefined;
      /** Return only settlements with this approval state */
      approval_state?: "pending" | "approved" | "rejected" | undefined;
      /** Return only the items of this batch */
      batch_id?: string | undefined;
      /** Return only the settlement with this reference */
      external_tx_id?: string | undefined;
      /** Return only settlements of this merchant */
      external_merchant_id?: string | undefined;
      /** Return only settlements on this blockchain network, given as a CAIP-2 id */
      chain?: string | undefined;
      /** Return only settlements to this wallet. Upper and lower case are the same */
      wallet_address?: string | undefined;
      /** Return only settlements that this transaction paid */
      tx_hash?: string | undefined;
      /** Return only objects created at this instant or later. ISO 8601 with a time zone */
      created_from?: string | undefined;
      /** Return only objects created before this instant. ISO 8601 with a time zone */
      created_to?: string | undefined;
      /** Return only settlements whose updated_at is at this instant or later */
      updated_from?: string | undefined;
      /** Return only settlements whose updated_at is before this instant */
      updated_to?: string | undefined;
      /** The most items to return, 1 to 100. The default is 25 */
      limit?: number | undefined;
      /** The next_cursor of the previous page */
      cursor?: string | undefined;
    };
    body: never;
    result: {
      /** A page of settlements, newest first */
      data: Array<Settlement>;
      /** The cursor of the next page. Null on the last page */
      next_cursor: string | null;
    };
  };
  /** Confirm a quote. The body names the settlement */
  confirm_settlement: {
    method: "POST";
    path: "/api/v1/settlements/confirm";
    params: Record<string, never>;
    query: Record<string, never>;
    body: SettlementConfirm;
    result: Settlement;
  };
  /** Confirm a quote. The path names the settlement */
  confirm_one_settlement: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/confirm";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
    };
    query: Record<string, never>;
    body: {
      /** Optional. If given, it must equal the id in the path */
      tx_id?: string | undefined;
      /** Your own reference, unique among your settlements */
      external_tx_id: string;
      /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the final callback. Required unless you gave one at creation */
      callback_url?: string | undefined;
      /** The destination_amount that you expect, in units of destination_currency. If the quote offers another amount, the request is refused with quote_changed */
      expected_destination_amount?: number | undefined;
    };
    result: Settlement;
  };
  /** Cancel a settlement that the body names */
  cancel_settlement: {
    method: "POST";
    path: "/api/v1/settlements/cancel";
    params: Record<string, never>;
    query: Record<string, never>;
    body: SettlementCancel;
    result: Settlement;
  };
  /** Cancel a settlement that the path names */
  cancel_one_settlement: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/cancel";
    params: {
      /** The settlement's id. It begins with tx_ */
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
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Settlement;
  };
  /** Create up to 500 settlements together: all of them or none */
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
      /** Return only batches with this status */
      status?: "quoted" | "processing" | "completed" | "cancelled" | undefined;
      /** Return only the batch with this external_batch_id */
      external_batch_id?: string | undefined;
      /** The most items to return, 1 to 100. The default is 25 */
      limit?: number | undefined;
      /** The next_cursor of the previous page */
      cursor?: string | undefined;
    };
    body: never;
    result: {
      /** A page of batches, newest first */
      data: Array<Batch>;
      /** The cursor of the next page. Null on the last page */
      next_cursor: string | null;
    };
  };
  /** Estimate the price of a batch. Nothing is stored */
  estimate_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches/estimate";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** 1 to 500 settlements. Each item has the fields of a create */
      items: Array<{
        /** The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES */
        source_amount: number;
        /** The fiat currency that you collect, as an ISO 4217 code such as KES */
        source_currency: string;
        /** The symbol of the token that the wallet receives, such as USDT */
        destination_currency: string;
        /** Your own id for the merchant that is paid */
        external_merchant_id: string;
        /** The blockchain network as a CAIP-2 id, such as eip155:1 */
        chain: string;
        /** The merchant's wallet on the chain. The crypto is sent to it. 0x and 40 hex digits on EVM and Tempo, base 58 on Solana and Tron */
        wallet_address: string;
        /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives the callback of an approval, and the final callback unless you give another URL at confirmation */
        callback_url?: string | undefined;
        /** Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing. At most 20 names of 40 characters, with 500 characters each */
        metadata?: Record<string, string> | undefined;
        /** Your own reference for this payment, unique among your settlements */
        external_tx_id?: string | undefined;
      }>;
    };
    result: BatchEstimate;
  };
  /** Confirm a batch: all of its items or none */
  confirm_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches/{batch_id}/confirm";
    params: {
      /** The batch's id. It begins with ba_ */
      batch_id: string;
    };
    query: Record<string, never>;
    body: {
      /** An absolute https URL on a public host. A sandbox also calls http://127.0.0.1. It receives batch.completed. Required unless you gave one at creation */
      callback_url?: string | undefined;
      /** The total that you expect in each destination currency, such as {"USDT": 153.5}. If the batch offers another, the request is refused with quote_changed */
      expected_total?: Record<string, number> | undefined;
    };
    result: Batch;
  };
  /** Cancel a batch and all of its items */
  cancel_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches/{batch_id}/cancel";
    params: {
      /** The batch's id. It begins with ba_ */
      batch_id: string;
    };
    query: Record<string, never>;
    body: Record<string, never>;
    result: Batch;
  };
  /** Renew every expired quote in a batch */
  requote_batch: {
    method: "POST";
    path: "/api/v1/settlement-batches/{batch_id}/requote";
    params: {
      /** The batch's id. It begins with ba_ */
      batch_id: string;
    };
    query: Record<string, never>;
    body: Record<string, never>;
    result: Batch;
  };
  /** Get a batch. To get its items, list settlements by batch_id */
  get_batch: {
    method: "GET";
    path: "/api/v1/settlement-batches/{batch_id}";
    params: {
      /** The batch's id. It begins with ba_ */
      batch_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Batch;
  };
  /** Get the signed quote and, once executed, the signed receipt. Anyone can verify them */
  prove_settlement: {
    method: "GET";
    path: "/api/v1/settlements/{tx_id}/proof";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
      /** The signed quote: the price that was promised, and until when. A JWS in compact form */
      quote: string;
      /** The signed receipt: what was paid, in which transaction, block and log. A JWS in compact form. Null until the settlement is executed */
      receipt: string | null;
      /** The URL of the public keys that verify the proofs */
      jwks_url: string;
    };
  };
  /** List your callbacks, newest first */
  list_all_callbacks: {
    method: "GET";
    path: "/api/v1/callbacks";
    params: Record<string, never>;
    query: {
      /** Return only the callbacks of this settlement, batch, withdrawal or top-up */
      object_id?: string | undefined;
      /** Return only callbacks in this state */
      state?: "pending" | "delivered" | "undelivered" | undefined;
      /** Return only callbacks of this event */
      event?: "settlement.approved" | "settlement.executed" | "settlement.failed" | "batch.completed" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "topup.completed" | "topup.failed" | "topup.cancelled" | undefined;
      /** Return only objects created at this instant or later. ISO 8601 with a time zone */
      created_from?: string | undefined;
      /** Return only objects created before this instant. ISO 8601 with a time zone */
      created_to?: string | undefined;
      /** The most items to return, 1 to 100. The default is 25 */
      limit?: number | undefined;
      /** The next_cursor of the previous page */
      cursor?: string | undefined;
    };
    body: never;
    result: OwnCallbackList;
  };
  /** Get a callback with every attempt */
  get_callback: {
    method: "GET";
    path: "/api/v1/callbacks/{callback_id}";
    params: {
      /** The callback's id. It begins with cb_ */
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: OwnCallback;
  };
  /** Resend a callback of any object, with six new attempts */
  resend_any_callback: {
    method: "POST";
    path: "/api/v1/callbacks/{callback_id}/resend";
    params: {
      /** The callback's id. It begins with cb_ */
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: OwnCallback;
  };
  /** Send a callback of any object once now, in addition to its six attempts */
  attempt_any_callback: {
    method: "POST";
    path: "/api/v1/callbacks/{callback_id}/attempt";
    params: {
      /** The callback's id. It begins with cb_ */
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: OwnCallback;
  };
  /** List a settlement's callbacks with every attempt */
  list_callbacks: {
    method: "GET";
    path: "/api/v1/settlements/{tx_id}/callbacks";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: CallbackList;
  };
  /** Resend a callback, with six new attempts */
  resend_callback: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/resend";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
      /** The callback's id. It begins with cb_ */
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Callback;
  };
  /** Send a callback once now, in addition to its six attempts */
  attempt_callback: {
    method: "POST";
    path: "/api/v1/settlements/{tx_id}/callbacks/{callback_id}/attempt";
    params: {
      /** The settlement's id. It begins with tx_ */
      tx_id: string;
      /** The callback's id. It begins with cb_ */
      callback_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Callback;
  };
  /** List events, oldest first. The request can wait for the next one */
  list_events: {
    method: "GET";
    path: "/api/v1/events";
    params: Record<string, never>;
    query: {
      /** Return only events of these types, separated by commas. settlement.*, batch.*, withdrawal.*, topup.*, member.*, callback.*, destination.* mean all types of one object */
      types?: string | undefined;
      /** The next_cursor of the previous page. Without it, the list begins at the oldest event that is kept */
      cursor?: string | undefined;
      /** The most events to return, 1 to 100. The default is 25 */
      limit?: number | undefined;
      /** How long the request waits if there is no event yet, in seconds. The default is 0 */
      wait?: number | undefined;
    };
    body: never;
    result: {
      /** A page of events, oldest first */
      data: Array<Event>;
      /** The cursor for your next request. It is present even if there are no events right now */
      next_cursor: string;
    };
  };
  /** Get an event */
  get_event: {
    method: "GET";
    path: "/api/v1/events/{event_id}";
    params: {
      /** The event's id. It begins with ev_ */
      event_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: Event;
  };
  /** Create an event destination */
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
      /** The destination's id. It begins with de_ */
      destination_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: EventDestination;
  };
  /** Change, pause or resume an event destination */
  change_event_destination: {
    method: "PATCH";
    path: "/api/v1/event-destinations/{destination_id}";
    params: {
      /** The destination's id. It begins with de_ */
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
      /** The destination's id. It begins with de_ */
      destination_id: string;
    };
    query: Record<string, never>;
    body: never;
    result: undefined;
  };
  /** Send a test event. The result is in last_test */
  test_event_destination: {
    method: "POST";
    path: "/api/v1/event-destinations/{destination_id}/test";
    params: {
      /** The destination's id. It begins with de_ */
      destination_id: string;
    };
    query: Record<string, never>;
    body: Record<string, never>;
    result: EventDestination;
  };
  /** Send events again, from a given instant on */
  replay_event_destination: {
    method: "POST";
    path: "/api/v1/event-destinations/{destination_id}/replay";
    params: {
      /** The destination's id. It begins with de_ */
      destination_id: string;
    };
    query: Record<string, never>;
    body: {
      /** Events from this instant on are sent again, if they are still kept. ISO 8601 with a time zone */
      from: string;
    };
    result: EventDestination;
  };
  /** List the pairs that you can get quotes for */
  list_pairs: {
    method: "GET";
    path: "/api/v1/pairs";
    params: Record<string, never>;
    query: Record<string, never>;
    body: never;
    result: PairList;
  };
  /** Preview a rate. Nothing is stored */
  preview_rate: {
    method: "GET";
    path: "/api/v1/rates/preview";
    params: Record<string, never>;
    query: {
      /** The fiat currency that you collect, as an ISO 4217 code such as KES */
      source_currency: string;
      /** The symbol of the token that the wallet receives, such as USDT */
      destination_currency: string;
      /** The blockchain network as a CAIP-2 id, such as eip155:1 */
      chain: string;
      /** The amount to price, in minor units of source_currency. Without it, the answer has only the rate and the fee */
      source_amount?: number | undefined;
      /** A wallet on the chain. With it, the answer has network_cost */
      wallet_address?: string | undefined;
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
      /** The timestamp that was signed, in Unix seconds, as you sent it */
      timestamp: string;
      /** The HTTP method, in upper case */
      method: string;
      /** The path without the query string */
      path: string;
      /** The query string exactly as it was sent, without the question mark. Empty if there was none */
      query: string;
      /** The length of the body, in bytes */
      body_length: number;
      /** The SHA-256 hash of the body's bytes, in hex */
      body_sha256: string;
      /** The SHA-256 hash of the string to sign, in hex */
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
  /** Get the public keys that verify quotes, receipts and callbacks */
  get_jwks: {
    method: "GET";
    path: "/.well-known/jwks.json";
    params: Record<string, never>;
    query: {
      /** A partner's id. The answer then also has the keys of that partner's callbacks. Without it, the answer has only the keys of proofs */
      partner?: string | undefined;
    };
    body: never;
    result: {
      /** The keys in use, and older keys that are kept so that you can verify old signatures */
      keys: Array<{
        /** The key type: OKP, an elliptic curve key as in RFC 8037 */
        kty: "OKP";
        /** The curve: Ed25519 */
        crv: "Ed25519";
        /** The public key, in base64url */
        x: string;
        /** The key's id. The header of a proof has the id of the key that signed it */
        kid: string;
        /** The signature algorithm: EdDSA */
        alg: "EdDSA";
        /** The use of the key: sig, only for signatures */
        use: "sig";
        /** What the key signs. proofs: quotes and receipts. callbacks: one partner's callbacks (`v1a`) */
        purpose: "proofs" | "callbacks";
        /** The same key in the format of Standard Webhooks. Present only if purpose is callbacks */
        whpk?: string | undefined;
      }>;
    };
  };
  /** Check whether a proof is still valid. Anyone who has the proof may ask */
  get_proof_status: {
    method: "POST";
    path: "/proofs/status";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** The quote or receipt that you were shown: a JWS in compact form */
      proof: string;
    };
    result: {
      /** The kind of proof */
      type: "quote" | "receipt";
      /** The settlement's id, from the proof's claim `sub` */
      tx_id: string;
      /** The state of the proof now. Of a quote: `in_force`, `fulfilled` (paid), `awaiting_approval` (nothing is promised yet), `superseded` (another price was agreed), `expired`, `rejected`, `cancelled` or `failed`. Of a receipt: `paid`, or `reversed` while the chain shows something other than what was signed */
      status: "in_force" | "fulfilled" | "awaiting_approval" | "superseded" | "expired" | "rejected" | "cancelled" | "failed" | "paid" | "reversed";
      /** Whether you may rely on the proof. True for `in_force`, `fulfilled` and `paid` */
      holds: boolean;
      /** When the status was checked */
      checked_at: string;
    };
  };
  /** Report a leaked API key, which is then revoked. Anyone who has found a key and its secret may do this */
  report_leaked_key: {
    method: "POST";
    path: "/leaked-keys";
    params: Record<string, never>;
    query: Record<string, never>;
    body: {
      /** The API key that was found. It begins with key_live_ or key_test_ */
      api_key: string;
      /** The secret that was found with it. It begins with sec_live_ or sec_test_ */
      api_secret: string;
      /** Where it was found, such as the address of a page. The owners of the key see this */
      found_at?: string | undefined;
    };
    result: {
      /** Always true, even for a key that never existed: the answer reveals nothing about the key */
      received: true;
    };
  };
}

export interface Webhooks {
  /** A settlement that needed approval was approved, at a new price, and can be confirmed. The callback goes to the URL given at creation, if any */
  "settlement.approved": {
    /** The settlement's id. It begins with tx_ */
    tx_id: string;
    /** Your own reference. Null until you confirm the settlement. An item of a batch has it from the start */
    external_tx_id: string | null;
    /** The event that the callback reports */
    event: "settlement.approved";
    /** The decision. The settlement's own status is still quoted until you confirm it */
    status: "approved";
    /** The blockchain network as a CAIP-2 id, such as eip155:1 */
    chain: string;
    /** The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES */
    source_amount: number;
    /** The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    destination_amount: number;
    /** The fixed fee, in units of destination_currency. It is already deducted from destination_amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    platform_fee: number;
    /** When the new quote expires. Confirm before this instant to get these amounts */
    expires_at: string;
  };
  /** A settlement was paid. The payment is final on the chain */
  "settlement.executed": {
    /** The settlement's id. It begins with tx_ */
    tx_id: string;
    /** Your own reference. Null until you confirm the settlement. An item of a batch has it from the start */
    external_tx_id: string | null;
    /** The settlement's status, which is final */
    status: "executed";
    /** The hash of the transaction that paid. It is final on the chain */
    tx_hash: string;
    /** The blockchain network as a CAIP-2 id, such as eip155:1 */
    chain: string;
    /** The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    destination_amount: number;
    /** The fixed fee, in units of destination_currency. It is already deducted from destination_amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    platform_fee: number;
    /** When the payment became final on the chain */
    executed_at: string;
  };
  /** A settlement failed. Nothing was paid, and nothing will be */
  "settlement.failed": {
    /** The settlement's id. It begins with tx_ */
    tx_id: string;
    /** Your own reference. Null until you confirm the settlement. An item of a batch has it from the start */
    external_tx_id: string | null;
    /** The settlement's status, which is final */
    status: "failed";
    /** The blockchain network as a CAIP-2 id, such as eip155:1 */
    chain: string;
    /** The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    destination_amount: number;
    /** The fixed fee, in units of destination_currency. It is already deducted from destination_amount. A JSON number of at most 15 digits: parse it as a decimal, not as a float */
    platform_fee: number;
    /** Why nothing was paid, in one sentence */
    failure_reason: string;
  };
  /** Every item of a batch has ended. The callback goes to the batch's URL */
  "batch.completed": Batch & {
    /** The event that the callback reports */
    event: "batch.completed";
  };
}


/** The methods of the SDKs for Go and PHP: which operation each of them calls, and what it says about it. */

/**
 * `kind`: what becomes of the answer. `data`: the list in its `data`. `walk`: all pages, whose items are in `data`, `items` or, for `header`,
 * the whole body. `as`: the name of a body or an answer that has none of its own. `without`: members of query or body that are not offered.
 */
export type NamedMethod = {
  as: string;
  says: string;
  isIntended?: true;
  kind?: "data" | "none" | { walk: "data" | "items" | "header" };
  body?: string;
  result?: string;
  without?: readonly string[];
};

const WALK = { walk: "data" } as const;
const PLACES = ["cursor", "skip"];

/** By operation. `as`: group and method, or a method of the client itself. */
export const METHODS: Readonly<Record<string, NamedMethod>> = {
  create_settlement: {
    as: "settlements.create",
    isIntended: true,
    says: "makes a settlement and returns its quote. Use your order's id as the intent: a repeat, for example after a crash, is then the same call to the service. Another body with the same intent is refused.",
  },
  list_settlements: {
    as: "settlements.list",
    kind: WALK,
    without: PLACES,
    says: "reads all settlements that match, newest first, page by page. limit is the page size.",
  },
  confirm_one_settlement: {
    as: "settlements.confirm",
    body: "SettlementConfirmation",
    without: ["tx_id"],
    says: "confirms the quote, which starts the payment. A repeat with the same external_tx_id has no effect. The service refuses it with quote_changed if the quote's amount is not expected_destination_amount.",
  },
  cancel_one_settlement: { as: "settlements.cancel", says: "cancels a settlement that is not confirmed." },
  get_settlement: { as: "settlements.get", says: "returns a settlement with its undelivered callbacks." },
  prove_settlement: {
    as: "settlements.proof",
    result: "SettlementProof",
    says: "returns the signed quote and, once executed, the signed receipt, for third parties to verify.",
  },
  list_callbacks: { as: "settlements.callbacks", kind: "data", says: "returns a settlement's callbacks with every attempt." },
  resend_callback: { as: "settlements.resend_callback", says: "sends a callback again: six new attempts, with the same id and body." },
  attempt_callback: {
    as: "settlements.attempt_callback",
    says: "makes one attempt now, whatever the callback's state, with the same id and body.",
  },
  create_batch: {
    as: "batches.create",
    says: "makes up to 500 settlements, all or none. A repeat with the same external_batch_id and body, for example after a crash, is the same batch.",
  },
  estimate_batch: { as: "batches.estimate", body: "BatchQuestion", says: "returns what the items would cost. Nothing is stored." },
  list_batches: { as: "batches.list", kind: WALK, without: PLACES, says: "reads all batches that match, newest first, page by page." },
  confirm_batch: {
    as: "batches.confirm",
    body: "BatchConfirmation",
    says: "starts all payments, or none. The service refuses it with quote_changed if the sums are not those of expected_total.",
  },
  cancel_batch: { as: "batches.cancel", says: "cancels a batch and all of its items." },
  requote_batch: { as: "batches.requote", says: "renews the quotes of the items whose quote has expired." },
  get_batch: { as: "batches.get", says: "returns a batch without its items: list settlements by batch_id to read them." },
  list_all_callbacks: {
    as: "callbacks.list",
    kind: WALK,
    without: PLACES,
    says: "reads the callbacks of settlements, batches, withdrawals and top-ups that match, newest first, page by page.",
  },
  get_callback: { as: "callbacks.get", says: "returns a callback with every attempt." },
  resend_any_callback: { as: "callbacks.resend", says: "sends a callback again: six new attempts, with the same id and body." },
  attempt_any_callback: { as: "callbacks.attempt", says: "makes one attempt now, in addition to the six." },
  list_events: { as: "events.page", result: "EventPage", says: "returns one page of events, oldest first. Follow reads them all." },
  get_event: { as: "events.get", says: "returns an event." },
  create_event_destination: {
    as: "event_destinations.create",
    isIntended: true,
    says: "makes an event destination. The answer contains the secret that verifies its events; for a day, the same intent returns it again.",
  },
  list_event_destinations: { as: "event_destinations.list", kind: "data", says: "returns your event destinations." },
  get_event_destination: { as: "event_destinations.get", says: "returns an event destination." },
  change_event_destination: {
    as: "event_destinations.update",
    says: "changes an event destination. Paused, it keeps its place; active again, it gets everything that has waited.",
  },
  delete_event_destination: { as: "event_destinations.delete", kind: "none", says: "deletes an event destination." },
  test_event_destination: { as: "event_destinations.test", says: "sends a test event. How it ended is in last_test of get." },
  replay_event_destination: {
    as: "event_destinations.replay",
    body: "Replay",
    says: "sends everything from that moment on again, under the same ids.",
  },
  list_pairs: { as: "prices.pairs", kind: "data", says: "returns the pairs that you can get quotes for." },
  preview_rate: { as: "prices.preview", says: "returns the present quote for an amount. Nothing is promised." },
  exchange_rates: { as: "prices.rates", says: "returns the present rates." },
  convert_to_currency: { as: "prices.convert", says: "converts an amount at the mid rate: one currency is fiat, the other crypto." },
  create_member: { as: "members.create", says: "makes a member. A repeat with the same external_user_id is the same member." },
  get_member: { as: "members.get", says: "returns a member." },
  get_members: {
    as: "members.list",
    kind: { walk: "header" },
    without: PLACES,
    says: "reads all members that match, page by page. limit is the page size.",
  },
  update_member: {
    as: "members.update",
    says: "changes a member. Omitted fields stay as they are; null removes a name or an e-mail address.",
  },
  get_member_safe_info: { as: "members.safe", says: "returns a member's Safe as the chain has it." },
  withdraw_fiat: {
    as: "withdrawals.create",
    says: "pays fiat out of your own Safe. A repeat with the same external_id, for example after a crash, is the same withdrawal.",
  },
  withdraw_fiat_for_registered_member: { as: "withdrawals.create_for_member", says: "pays fiat out of a member's Safe." },
  withdraw_fiat_status: { as: "withdrawals.get", says: "returns a withdrawal." },
  withdraw_fiat_preview: { as: "withdrawals.preview", says: "returns what a withdrawal would take now, with your fee. Nothing is stored." },
  withdraw_fiat_cancel: {
    as: "withdrawals.cancel",
    says: "cancels a withdrawal while its crypto is still in the Safe; after that the service refuses it with invalid_state. A repeat answers the same.",
  },
  get_withdraw_fiat_pool_info: { as: "withdrawals.pools", says: "returns what can be paid out now, by currency." },
  topup_fiat: {
    as: "topups.create",
    says: "collects fiat and sends crypto to a member's wallet. A repeat with the same external_id, for example after a crash, is the same top-up.",
  },
  topup_fiat_status: { as: "topups.get", says: "returns a top-up." },
  topup_fiat_preview: { as: "topups.preview", says: "returns what a top-up would send now, with your fee. Nothing is stored." },
  topup_fiat_cancel: {
    as: "topups.cancel",
    says: "cancels a top-up while the provider was not asked to collect; after that the service refuses it with invalid_state. A repeat answers the same.",
  },
  list_api_keys: { as: "keys.list", says: "returns your API keys." },
  rotate_api_key: {
    as: "keys.rotate",
    isIntended: true,
    body: "Rotation",
    says: "makes a successor with the same rights. The answer contains its secret; for a day, the same intent returns it again.",
  },
  delete_api_key: { as: "keys.revoke", kind: "none", without: ["dry_run"], says: "revokes a key at once." },
  rotate_callback_secret: {
    as: "keys.rotate_callback_secret",
    isIntended: true,
    body: "Rotation",
    says: "makes a new secret for your callbacks. The answer contains it; for a day, the same intent returns it again.",
  },
  current_partner: {
    as: "partner",
    says: "returns your own partner: wallet_address is your Safe, charge_fee_percentage your fee on withdrawals and top-ups.",
  },
  list_partner_payments: { as: "payments", says: "returns the payments that the operator booked for your partner." },
  get_all_transactions: {
    as: "transactions",
    kind: { walk: "items" },
    without: [...PLACES, "partner_id"],
    says: "reads the settlements, withdrawals and top-ups that match, newest first, page by page.",
  },
  get_time: { as: "time", result: "ServiceTime", says: "returns the service's clock, unsigned." },
  get_jwks: {
    as: "public_keys",
    result: "PublicKeys",
    says: "returns the public keys for verifying proofs, unsigned; with your partner id those of your callbacks as well. Take the id from your settings: another partner's keys verify that partner's callbacks.",
  },
  get_proof_status: {
    as: "proof_status",
    body: "ProofQuestion",
    result: "ProofStatus",
    says: "returns whether a quote or a receipt is still valid, for anyone who has it. Unsigned.",
  },
  report_leaked_key: {
    as: "report_leaked_key",
    body: "LeakedKey",
    kind: "none",
    says: "reports an API key that you found, which is then revoked. Unsigned.",
  },
  echo: { as: "echo", result: "EchoAnswer", says: "tests key, clock and signature: it returns what the service read of a signed request." },
};

/** Operations of which another form has a method, or that are for people. */
export const WITHOUT_METHOD = ["confirm_settlement", "cancel_settlement", "login_for_access_token"];

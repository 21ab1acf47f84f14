/** The changes for integrators, newest first: operations, fields, codes, callbacks. CHANGELOG.md has the internal ones. */
export type Change = { on: string; kind: "added" | "changed" | "deprecated" | "removed"; text: string };

export const CHANGES: readonly Change[] = [
  {
    on: "2026-11-30",
    kind: "added",
    text: "On Tron and Tempo, create and confirm ask the chain about the recipient, as on Solana. Both are 422 invalid_wallet_address for an address that the token's issuer has blocked (Tron) or that the token or its policy refuses (Tempo). While no node answers, nothing is refused.",
  },
  {
    on: "2026-11-30",
    kind: "added",
    text: "The answer to POST /api/v1/settlements has network_cost: what the service has learned of it in the last minute, or null. It asks no network for it, so creating is as quick as before. new_holder is null if nothing is known of the wallet.",
  },
  {
    on: "2026-11-29",
    kind: "added",
    text: "GET /api/v1/rates/preview takes wallet_address, and then returns network_cost: about what the network takes for the payment, in what, and whether the wallet has none of the token yet. It is not taken off the amount.",
  },
  {
    on: "2026-11-29",
    kind: "added",
    text: "Payments on Solana, Tron and Tempo carry your external_tx_id as a memo, which everybody can read. /docs/networks has the forms of addresses and hashes, finality and memos of each network.",
  },
  {
    on: "2026-11-29",
    kind: "added",
    text: "On Solana, create and confirm ask the chain about the recipient. Both are 422 invalid_wallet_address for a mint, a program or a token account, and while the token's issuer has frozen the recipient's account. A refused confirmation leaves the quote as it is.",
  },
  {
    on: "2026-11-29",
    kind: "added",
    text: "The public page /status shows whether each part of the service works, the last 90 days and the incidents. /status/summary.json says the same to programs, /status/feed.atom to feed readers.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "POST /partners/transactions/withdraw-fiat/{id}/cancel and /topup-fiat/{id}/cancel cancel a withdrawal or top-up of which nothing has moved. The status is then failed, with cancelled_at. The callbacks and events withdrawal.cancelled and topup.cancelled report it; failed does not. Once the crypto is being taken, or the provider was asked to collect, the answer is 409 invalid_state with order_status.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "GET /partners/transactions/withdraw-fiat/preview and /topup-fiat/preview return the price of a withdrawal or top-up, with the fee. A withdrawal takes maximum_source_amount, a top-up minimum_destination_amount: at another price the request is 409 quote_changed, and nothing is taken.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "GET /api/v1/callbacks lists the callbacks of settlements, batches, withdrawals and top-ups, by object_id, state, event and time; GET /api/v1/callbacks/{callback_id} returns one. POST …/resend and …/attempt send it again. A key sees what its scopes let it read.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "Settlements, batches, withdrawals and top-ups take metadata, up to 20 notes of your own. Answers, events, the callbacks of batches, withdrawals and top-ups, and files return them. Settlements have updated_at and failed_at. GET /api/v1/settlements takes statuses (several), wallet_address, tx_hash, updated_from and updated_to. Next to each exchange_rate is its rate_unit, such as USDT per KES.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "The AsyncAPI 3.0 document /asyncapi/events.json (also .yaml) describes the events and the messages of event destinations. /docs/follow explains them.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "ApiKeyView has last_uses: when each operation was last called with the key, true to the hour.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "For operators: POST /partners/{partner_id}/payments books what a partner has paid, once by the bank's reference. In live mode a second person confirms it (202). GET on the same path lists the newest 100, for the partner too.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "Event destinations: with POST /api/v1/event-destinations (scope partner:write) the service sends events of the types that you choose to a webhook, AMQP or NATS JetStream. Each arrives at least once, in order for each object, under the event's id (webhook-id, message_id, Nats-Msg-Id) and signed under the destination's own secret. You can have 10; test, pause and resume them, and replay from a moment on. After a day of failures the service pauses a destination (destination.paused). New code: destination_not_found.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "In the console, an owner can make batches from a CSV file and confirm them there. In live mode another owner confirms.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "Events: GET /api/v1/events lists every change, oldest first, with a version for each object, and waits up to 20 seconds for the next one. next_cursor is never null. GET /api/v1/events/{id} returns one event. The service keeps events for 30 days. New codes: event_not_found, cursor_expired.",
  },
  {
    on: "2026-11-28",
    kind: "changed",
    text: "For operators, in live mode: a person's passkey signs each approval above the amounts in SIGNED_APPROVALS, in the console. An approval by a key or an access token is then 403 passkey_required.",
  },
  {
    on: "2026-11-28",
    kind: "added",
    text: "Anyone who finds a key with its secret in public can end it with POST /leaked-keys; the answer is always 202. A withdrawal has waiting_reason (new_payee, hold or null), waiting_since and waiting_until. An event withdrawal.processing marks the start and the end of the wait.",
  },
  {
    on: "2026-11-27",
    kind: "added",
    text: "Batches: up to 500 settlements created, confirmed, cancelled and decided together, under /api/v1/settlement-batches. A settlement has batch_id (null: it is in no batch), and a pair has batch_maximum_source_amount. An item has its external_tx_id from the start, and callbacks of its own only if it has a URL. batch.completed goes to the batch's URL. New codes: batch_not_found, external_batch_id_conflict, batch_member.",
  },
  {
    on: "2026-11-27",
    kind: "added",
    text: "An unsupported_pair for a currency that no pair has names the field or parameter in errors. A validation_failed names up to 500 faults.",
  },
  {
    on: "2026-11-27",
    kind: "changed",
    text: "New keys in live mode sign every request of the partner-management surface, reads too: signed_management may be all. ApiKeyView has made_by_key. Revoking a key also ends all keys that were made with it, and DELETE /partners/api-keys/{id}?dry_run=true lists that beforehand.",
  },
  {
    on: "2026-11-27",
    kind: "changed",
    text: "For operators, in live mode: a partner's key waits until a second person confirms it in the console (202 with proposal_id), and must at least sign its changes. If a key that you made requested a settlement, you cannot approve it (409 same_person).",
  },
  {
    on: "2026-11-27",
    kind: "changed",
    text: "For operators, in live mode: the release of a held settlement waits until a second person confirms it in the console. Until then waiting_reason stays hold. A key cannot release (403 person_required).",
  },
  {
    on: "2026-11-26",
    kind: "added",
    text: "The OpenAPI documents are available as YAML too: settlement.yaml and partner.yaml. An unsupported_pair for a currency in lower case names the field or parameter. Both SDKs carry a changelog in their packages, and the one for Python has an async client over httpx.",
  },
  {
    on: "2026-11-26",
    kind: "added",
    text: "Both SDKs: update a member, list, rotate and revoke keys, rotate the callback secret, make one attempt of a callback, and call any operation. They name themselves in User-Agent and export their version. In Python every keyword has a name and a type: a misspelt one is a TypeError.",
  },
  {
    on: "2026-11-26",
    kind: "added",
    text: "Every error of the partner-management surface has code and request_id in its body. A conflict because a Safe is not deployed has the member safe_status, and no other conflict does.",
  },
  {
    on: "2026-11-25",
    kind: "changed",
    text: "A repeat under an Idempotency-Key shows a secret (a new key, a rotated secret) only to the API key that made the first request; for another key of the partner it is 422 idempotency_key_reused.",
  },
  {
    on: "2026-11-25",
    kind: "changed",
    text: "On the partner-management surface, calls without a signature are rate limited by key and address, apart from signed calls.",
  },
  {
    on: "2026-11-25",
    kind: "added",
    text: "GET /partners/transactions and GET /partners/members take a cursor in place of skip. Pages by cursor neither repeat nor leave out an item while new ones are created. The next cursor is next_cursor, and for members the header X-Next-Cursor. Both SDKs use it.",
  },
  {
    on: "2026-11-25",
    kind: "changed",
    text: "OpenAPI gives every number a format: double for amounts and rates, which have at most 15 digits, and int64 for whole numbers. Generate clients again: without it some languages lost digits of amounts.",
  },
  {
    on: "2026-11-25",
    kind: "changed",
    text: "Both SDKs refuse options that cannot be right when you create the client. A missing callback secret or a parsed body is a TypeError (Python: ValueError for a secret), no longer a CallbackRefused: answer it with 500, and the callback comes again.",
  },
  {
    on: "2026-11-25",
    kind: "changed",
    text: "After a key rotation with an overlap, callbacks keep the mirrored signature of the key that created the settlement until the overlap ends. It used to switch to the new key's secret at once.",
  },
  {
    on: "2026-11-25",
    kind: "added",
    text: "Anyone who has a proof can ask POST /proofs/status whether it is still valid, without an account. Proofs carry the settlement's status. The service signs a receipt only while the chain confirms it: final, in the recorded block, and by two nodes if the service has two. Otherwise the answer is 503.",
  },
  {
    on: "2026-11-23",
    kind: "added",
    text: "OpenAPI, the reference and the SDK for TypeScript say what every field and parameter means: its unit, whose it is, and when it is null or left out.",
  },
  {
    on: "2026-11-23",
    kind: "added",
    text: "Fiat in and out with the SDKs: whole programs for a withdrawal and a top-up up to the verified callback. Both SDKs wait for a member's Safe, list transactions and return your own partner. Python types every callback's body by its event.",
  },
  {
    on: "2026-11-23",
    kind: "changed",
    text: "The first public release is 1.1.0. From now on the SDKs have the service's version number. An SDK knows all answers of the service of the same version, and works with every later one.",
  },
  {
    on: "2026-11-23",
    kind: "added",
    text: "OpenAPI says in x-callers who may call an operation. Its examples come from one run: each uses what the ones before it created. The Postman collection has the operator’s requests, queries and every variable.",
  },
  {
    on: "2026-11-22",
    kind: "added",
    text: "A quickstart in five languages, fiat in and out with every source, destination and payment, all events with payloads, lifetimes, a search, a form that signs, every page as Markdown, llms.txt, and a Postman collection that signs.",
  },
  {
    on: "2026-11-22",
    kind: "added",
    text: "Proofs: GET /api/v1/settlements/{tx_id}/proof returns quote and receipt as a JWS. The keys are at /.well-known/jwks.json.",
  },
  {
    on: "2026-11-22",
    kind: "added",
    text: "Callbacks that you can verify without a secret: a signature v1a under the partner's own key, published at /.well-known/jwks.json?partner={partner_id}.",
  },
  {
    on: "2026-11-22",
    kind: "added",
    text: "In the sandbox, the last characters of a wallet or a callback URL choose the outcome, so that you see every outcome without waiting for it.",
  },
  { on: "2026-11-22", kind: "added", text: "SDKs for TypeScript and Python. OpenAPI with callbacks, examples, every header and status." },
  {
    on: "2026-11-22",
    kind: "added",
    text: "A settlement that waits says why and since when: waiting_reason, waiting_since. quote_changed carries current_destination_amount; a failed withdrawal return_tx_hash.",
  },
  {
    on: "2026-11-22",
    kind: "added",
    text: "Idempotency-Key on every POST of both surfaces, with Idempotent-Replayed. The same body means the same bytes.",
  },
  {
    on: "2026-11-22",
    kind: "changed",
    text: "Any 2xx delivers a callback as soon as its headers are complete. The service calls and signs a callback_url byte for byte as given, and refuses one that it would have to change first.",
  },
  {
    on: "2026-11-22",
    kind: "changed",
    text: "A quote gets 503 liquidity_unavailable if the service cannot pay it on top of what it has promised. An encoded body gets 415, a blank external_merchant_id 422.",
  },
  {
    on: "2026-11-21",
    kind: "added",
    text: "One immediate manual attempt of a callback, besides its six: POST …/callbacks/{callback_id}/attempt.",
  },
  { on: "2026-11-21", kind: "added", text: "Top-ups expire after a day: expires_at, paid_late_at." },
  {
    on: "2026-11-21",
    kind: "added",
    text: "The first version: settlements, approvals, callbacks with two signatures, members with Safes, withdrawals, top-ups, rates, keys.",
  },
];

import type { RefusalCode } from "#domain/refusal.ts";
import { CREDENTIAL_ERRORS } from "./credential-errors.ts";
import type { ErrorAdvice } from "./error-advice.ts";

/** What each refusal means and what to do about it. A code without advice does not compile. */
export const ERROR_ADVICE: Record<RefusalCode, ErrorAdvice> = {
  malformed_json: {
    meaning:
      "The body is not exactly one valid JSON value. It has a syntax error, a repeated key or a byte order mark, or it is empty where a body is required.",
    remedy: "Send strict JSON in UTF-8, each key once, without a byte order mark. Sign exactly the bytes that you send.",
  },
  malformed_header: {
    meaning: "A signing header was sent more than once, even with equal values, or cannot be read.",
    remedy: "Send each signing header exactly once. The usual cause is a client library or a proxy that adds its own headers.",
  },
  invalid_utf8: {
    meaning: "The body's bytes are not UTF-8.",
    remedy: "Encode the body as UTF-8 before you sign and send it.",
  },
  ...CREDENTIAL_ERRORS,
  settlement_not_found: {
    meaning: "You have no settlement with this id. A quote that was never confirmed is deleted some months after it lapsed.",
    remedy: "Check the tx_id, and that the key belongs to the partner that created it. If a quote was deleted, request a new one.",
  },
  callback_not_found: {
    meaning: "You have no callback with this id.",
    remedy: "List your callbacks and use an id from there.",
  },
  batch_not_found: {
    meaning: "You have no batch with this id.",
    remedy:
      "Check the batch_id, and that the key belongs to the partner that created it. List the batches by external_batch_id to find it.",
  },
  event_not_found: {
    meaning: "You have no event with this id, the service no longer keeps it, or your key's scopes do not include it.",
    remedy: "Check the event's id. Events are kept for 30 days; list them to see which there are.",
  },
  destination_not_found: {
    meaning: "You have no event destination with this id.",
    remedy: "Check the destination's id, de_…; list the destinations to see which there are.",
  },
  route_not_found: {
    meaning: "No operation has this path.",
    remedy: "Check the path and its prefix /api/v1. The path must not end with a slash.",
  },
  not_found: {
    meaning: "The resource that the path names does not exist, or is not yours.",
    remedy: "Check the id.",
  },
  method_not_allowed: {
    meaning: "The path exists, but not with this method.",
    remedy: "Use a method that the Allow header names.",
  },
  approval_pending: {
    meaning:
      "The settlement still awaits a decision. It is above the pair's maximum or a limit, or the operator's approval policy asks for one.",
    remedy:
      "Wait for the approval callback, or poll the settlement until approval_state is no longer pending. Then confirm before the new expires_at.",
  },
  invalid_state: {
    meaning:
      "The state of the settlement, withdrawal, top-up or callback does not allow this. For example, you cannot confirm a settlement that ended, or cancel a withdrawal whose crypto is being taken.",
    remedy: "Read the object and act on its status. Do not repeat the request.",
    members: {
      settlement_status: "The status of the settlement.",
      order_status: "The status of the withdrawal or top-up that you wanted to cancel.",
    },
  },
  same_approver: {
    meaning:
      "For operators: two different people must approve, and this approval does not come from another person. A key counts as the person who created it. A key can never give the second approval. In live mode, people and keys less than a day old do not count.",
    remedy: "Leave the second approval to another person. The settlement stays pending, with its price and expires_at unchanged.",
  },
  same_person: {
    meaning:
      "For operators, in live mode: you cannot approve alone what you requested. A key that you made requested this settlement, or a key that your key made.",
    remedy: "Leave the approval to another person. The settlement stays pending, with its price and expires_at unchanged.",
  },
  external_batch_id_conflict: {
    meaning: "You used this external_batch_id for another batch: the body differs by at least one byte.",
    remedy:
      "To find out whether the first request arrived, repeat exactly its bytes, or list the batches by external_batch_id. Give another batch another name.",
    members: { batch_id: "The batch that has the name." },
  },
  batch_member: {
    meaning: "The settlement is an item of a batch. Items are confirmed, cancelled and decided with their batch only.",
    remedy: "Use the operation of the batch. Its id is the settlement's batch_id.",
    members: { batch_id: "The settlement's batch." },
  },
  external_tx_id_conflict: {
    meaning:
      "This external_tx_id already belongs to another of your settlements, or this settlement was confirmed under another external_tx_id.",
    remedy: "First look up the settlement with that external_tx_id: it may be the one you mean. Otherwise use a new reference.",
  },
  quote_changed: {
    meaning:
      "The amount differs from the one that you sent. That is expected_destination_amount or expected_total of a confirmation, maximum_source_amount of a withdrawal, or minimum_destination_amount of a top-up. An approval may have re-priced a quote.",
    remedy: "Decide whether the new amount suits you. Send the request again with it, or cancel.",
    members: {
      current_destination_amount: "The amount that the quote offers now.",
      current_source_amount: "The amount that the withdrawal takes now.",
      current_total: "What the batch comes to now, for each currency.",
    },
  },
  rate_moved: {
    meaning: "The rate has moved by more than the tolerance since you read it. Nothing was changed.",
    remedy: "Read the current rate and decide again.",
    members: { current_exchange_rate: "The current rate." },
  },
  idempotency_in_progress: {
    meaning: "A request with the same Idempotency-Key is still in progress.",
    remedy: "Wait a second, then sign and send it again. You get the answer of the first request.",
  },
  conflict: {
    meaning:
      "The request conflicts with existing data. A unique value (external_id, phone, external_user_id) is taken, a key was already rotated, or a required Safe is missing. If a Safe is missing, the answer has the member safe_status.",
    remedy:
      "If safe_status is deploying, wait until it is deployed and send the request again. If it is failed, request the Safe again. If it is null, the member brought its own wallet, or you have no Safe of your own. Without safe_status, read detail, then use the existing data or another value.",
    members: {
      safe_status:
        "Present only if a Safe is missing. The state of the Safe: deploying, deployed or failed; null if none is being deployed.",
    },
  },
  insufficient_liquidity: {
    meaning: "The fiat pool of this currency does not hold the amount. Nothing was stored.",
    remedy: "Read the pool's available amount. Try a smaller withdrawal, or try later.",
  },
  insufficient_funds: {
    meaning: "The Safe that the crypto would be taken from does not hold enough of it. Nothing was stored.",
    remedy: "Fund the Safe, or withdraw less.",
  },
  quote_expired: {
    meaning: "The quote's expires_at has passed, so its rate is no longer guaranteed. No funds moved.",
    remedy:
      "Create a new settlement with a new Idempotency-Key, in the SDKs with a new intent: the old one returns the expired quote for 24 hours. Confirm it under the same external_tx_id, so that the order is still paid only once.",
    members: { expired_at: "When the quote expired.", server_time: "The server time that was compared with it." },
  },
  cursor_expired: {
    meaning: "Events after your cursor are older than 30 days, and no longer kept.",
    remedy: "Read what you track by its own GET, then go on from oldest_cursor.",
    members: { oldest_cursor: "The cursor of the oldest events that are still kept." },
  },
  body_too_large: {
    meaning: "The body is larger than the service accepts.",
    remedy: "Check what you send. No operation needs a body of that size.",
  },
  unsupported_media_type: {
    meaning: "A body was sent without Content-Type: application/json, or with a Content-Encoding such as gzip.",
    remedy: "Send that header; the parameter charset=utf-8 is allowed. Send the body uncompressed.",
  },
  validation_failed: {
    meaning:
      "The JSON is well-formed, but fields are missing, unknown, of the wrong type or out of range. Unknown query parameters are faults too.",
    remedy:
      "The member errors lists every fault. Its pointer leads to the field, or its parameter names the query parameter. Correct all of them at once.",
    members: { errors: "One entry per fault: pointer or parameter, code, message." },
  },
  unsupported_pair: {
    meaning: "This combination of source currency, destination currency and chain is not offered to you.",
    remedy: "GET /api/v1/pairs lists the pairs that are. Currency codes are case-sensitive: KES, not kes.",
  },
  unsupported_chain: {
    meaning: "This service does not pay on this chain.",
    remedy: "GET /api/v1/pairs lists the chains.",
  },
  invalid_wallet_address: {
    meaning:
      "The address is not valid on this chain. Its form or checksum is wrong, or it must never be paid (the zero address, the token's own contract, our own wallets). On Solana it is also refused if the chain shows a mint, a program or a token account there, or if the token's issuer has frozen the recipient's account. A confirmation is refused for these reasons, too, and the quote stays as it is.",
    remedy:
      "Check the address with your merchant. An EVM address in mixed case must carry the right EIP-55 checksum. Confirm again once the issuer has lifted a freeze.",
  },
  amount_too_small: {
    meaning: "The amount is below the pair's minimum, or nothing would be left after the fee.",
    remedy: "Settle a larger amount. GET /api/v1/pairs shows the minimum.",
  },
  amount_too_large: {
    meaning:
      "For a top-up or a withdrawal, the amount is above the maximum of the pair or of the fiat pool. The detail names the maximum. For any request, the resulting amount may have more than 15 digits, which a JSON number cannot carry exactly.",
    remedy:
      "Send a smaller amount, or several. GET /api/v1/pairs and GET /partners/transactions/withdraw-fiat/pool show the maximum. A settlement above its pair's maximum is not refused, but waits for an approval.",
  },
  callback_url_not_allowed: {
    meaning:
      "The URL is well-formed, but its host is or resolves to a private, loopback or otherwise special address. Or its port is not allowed.",
    remedy: "Use a URL on a public host, on port 443 or 8443.",
  },
  idempotency_key_reused: {
    meaning:
      "This Idempotency-Key was already used with another body. Bodies must be equal byte for byte, spaces included. Or another of your API keys used it, and the answer shows a secret.",
    remedy: "Use a new key for every new request, and exactly the same bytes for a retry.",
  },
  rate_limited: {
    meaning: "The key has used up its requests for now. The request did not use up its nonce, so you can send it again unchanged.",
    remedy: "Wait for the seconds in Retry-After. RateLimit shows the remaining requests, and RateLimit-Policy the limit.",
  },
  internal_error: {
    meaning: "Something unexpected failed on our side. It is recorded under the request_id.",
    remedy: "Retry with the same Idempotency-Key. If it fails again, send the request_id to the operator.",
  },
  rate_unavailable: {
    meaning: "There is no fresh exchange rate for the pair, so nothing is quoted. Nothing was changed.",
    remedy: "Retry after the seconds in Retry-After. In GET /api/v1/pairs, quoting shows whether the pair is up.",
  },
  liquidity_unavailable: {
    meaning:
      "The service cannot pay this amount on this chain right now, on top of its other commitments. Or it cannot pay on this chain at all, or it has quoted as much of the pair as its limits allow. Nothing was stored.",
    remedy: "Retry after the seconds in Retry-After, or quote less. In GET /api/v1/pairs, quoting shows whether the pair is up.",
  },
  temporarily_unavailable: {
    meaning: "The service cannot reach its database, or is restarting. The request may or may not have taken effect.",
    remedy: "Retry after the seconds in Retry-After, with the same Idempotency-Key. The request then takes effect only once.",
  },
};

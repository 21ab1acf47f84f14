import type { RefusalCode } from "#domain/refusal.ts";
import { CREDENTIAL_ERRORS } from "./credential-errors.ts";
import type { ErrorAdvice } from "./error-advice.ts";

/** What each refusal means and what to do about it. A code without advice does not compile. */
export const ERROR_ADVICE: Record<RefusalCode, ErrorAdvice> = {
  malformed_json: {
    meaning:
      "The body is not one valid JSON value: a syntax error, a key written twice, a byte order mark, or nothing at all where a body is required.",
    remedy: "Send strict JSON in UTF-8, each key once, without a byte order mark. Sign exactly the bytes that you send.",
  },
  malformed_header: {
    meaning: "A signing header was sent more than once, even with equal values, or cannot be read.",
    remedy: "Send each signing header exactly once. A client library or a proxy that adds headers of its own is the usual cause.",
  },
  invalid_utf8: {
    meaning: "The body's bytes are not UTF-8.",
    remedy: "Encode the body as UTF-8 before you sign and send it.",
  },
  ...CREDENTIAL_ERRORS,
  settlement_not_found: {
    meaning: "You have no settlement with this id, or no longer: a quote that was never confirmed is kept for some months after it lapsed.",
    remedy: "Check the tx_id, and that the key belongs to the partner that created it. Of a quote that is gone, ask for a new one.",
  },
  callback_not_found: {
    meaning: "The settlement has no callback with this id.",
    remedy: "List the settlement's callbacks and use an id from there.",
  },
  route_not_found: {
    meaning: "No operation has this path.",
    remedy: "Check the path, its prefix /api/v1, and that it has no slash at its end.",
  },
  not_found: {
    meaning: "What the path names does not exist, or is not yours.",
    remedy: "Check the id.",
  },
  method_not_allowed: {
    meaning: "The path exists, but not with this method.",
    remedy: "Use a method that the Allow header names.",
  },
  approval_pending: {
    meaning: "The settlement is above the pair's maximum, and nobody has decided on it yet.",
    remedy:
      "Wait for the approval callback, or poll the settlement until approval_state is no longer pending; then confirm before the new expires_at.",
  },
  invalid_state: {
    meaning:
      "The settlement (or callback) is in a state in which this cannot happen: a settlement that ended cannot be confirmed, one that is processing cannot be cancelled.",
    remedy: "Read the settlement and act on its status. Do not repeat the request.",
    members: { settlement_status: "The status of the settlement." },
  },
  same_approver: {
    meaning:
      "For operators: two people must say yes, and this yes would not be that of another one. A key counts as the person who made it; the second yes is never a key's; in live mode people and keys younger than a day do not count.",
    remedy: "Leave the second yes to another person. A settlement stays pending, its price and expires_at as they were.",
  },
  external_tx_id_conflict: {
    meaning: "This external_tx_id already belongs to another of your settlements, or this settlement was confirmed under another one.",
    remedy: "Look the settlement up by that external_tx_id before you go on: it may be the one you mean. Otherwise use a fresh reference.",
  },
  quote_changed: {
    meaning:
      "The quote offers another destination_amount than the expected_destination_amount you sent; an approval may have re-priced it.",
    remedy: "Decide whether the new amount suits you, and confirm with it or cancel.",
    members: { current_destination_amount: "What the quote offers now." },
  },
  rate_moved: {
    meaning: "Since you looked, the rate has moved by more than is tolerated. Nothing was changed.",
    remedy: "Look at the current rate and decide again.",
    members: { current_exchange_rate: "The rate as it is now." },
  },
  idempotency_in_progress: {
    meaning: "A request with the same Idempotency-Key is being worked on at this moment.",
    remedy: "Wait a second and send it again, signed again: you will get the first one's answer.",
  },
  conflict: {
    meaning:
      "The request contradicts what exists: its unique value is taken (external_id, phone, external_user_id), a key was rotated already, or the Safe that it needs is not there. In the last case the answer has the member safe_status.",
    remedy:
      "With safe_status deploying: wait until the member's safe_status is deployed, and send it again. With failed: ask for the Safe again. With null: the member brought its own wallet, or you have no Safe of your own. Without safe_status: read detail; use what exists, or another value.",
    members: {
      safe_status: "Only where a Safe is missing: how far it has come (deploying, deployed, failed); null: none is being deployed.",
    },
  },
  insufficient_liquidity: {
    meaning: "The fiat pool of this currency does not hold the amount. Nothing was stored.",
    remedy: "Look at the pool's available amount, and try a smaller withdrawal or a later one.",
  },
  insufficient_funds: {
    meaning: "The Safe that the crypto would be taken from does not hold enough of it. Nothing was stored.",
    remedy: "Fund the Safe, or withdraw less.",
  },
  quote_expired: {
    meaning: "The quote's expires_at has passed, so its rate is no longer guaranteed. No funds moved.",
    remedy: "Create a new settlement; it gets a fresh quote.",
    members: { expired_at: "When the quote expired.", server_time: "The time that decided it." },
  },
  body_too_large: {
    meaning: "The body is larger than the service reads.",
    remedy: "No operation needs a body of that size: check what you send.",
  },
  unsupported_media_type: {
    meaning: "A body was sent without Content-Type: application/json, or with a Content-Encoding such as gzip.",
    remedy: "Send that header; the parameter charset=utf-8 is fine. Send the body as it is, not compressed.",
  },
  validation_failed: {
    meaning:
      "The JSON is well-formed, but fields are missing, unknown, of the wrong type or out of range. Unknown query parameters count too.",
    remedy: "The member errors names every fault: pointer leads to the field, parameter names the query parameter. Mend them all at once.",
    members: { errors: "One entry per fault: pointer or parameter, code, message." },
  },
  unsupported_pair: {
    meaning: "This combination of source currency, destination currency and chain is not offered to you.",
    remedy: "GET /api/v1/pairs lists what is. Currency codes are case-sensitive: KES, not kes.",
  },
  unsupported_chain: {
    meaning: "The chain is not one that this service pays on.",
    remedy: "GET /api/v1/pairs lists the chains.",
  },
  invalid_wallet_address: {
    meaning:
      "The address is not valid on this chain: wrong form, wrong checksum, or one that must never be paid to (the zero address, the token's own contract, our own wallets).",
    remedy: "Check the address with your merchant. An EVM address in mixed case must carry the right EIP-55 checksum.",
  },
  amount_too_small: {
    meaning: "The amount is below the pair's minimum, or nothing would be left after the fee.",
    remedy: "Settle a larger amount. GET /api/v1/pairs tells the minimum.",
  },
  amount_too_large: {
    meaning:
      "For a top-up or a withdrawal: the amount is above the maximum of the pair or of the fiat pool, and detail names it. Anywhere: the resulting amount has more than 15 digits, which a JSON number does not carry exactly.",
    remedy:
      "Send a smaller amount, or several. GET /api/v1/pairs and GET /partners/transactions/withdraw-fiat/pool tell the maximum. A settlement above its pair's maximum is not refused: it waits for an approval.",
  },
  callback_url_not_allowed: {
    meaning:
      "The URL is well-formed, but its host is or leads to a private, loopback or otherwise special address, or its port is not served.",
    remedy: "Give a URL on a public host, on port 443 or 8443.",
  },
  idempotency_key_reused: {
    meaning:
      "This Idempotency-Key was already used with another body. The same body means the same bytes: a space more is another one. Or another of your API keys used it, and the answer shows a secret.",
    remedy: "Use a new key for every new request, and the very same bytes for a retry.",
  },
  rate_limited: {
    meaning: "The key has used up its requests for the moment. The nonce was not burnt: the request may be sent again as it is.",
    remedy: "Wait for the seconds in Retry-After. RateLimit tells what is left, RateLimit-Policy what is granted.",
  },
  internal_error: {
    meaning: "Something failed on our side that we did not foresee. It is recorded under the request_id.",
    remedy: "Retry with the same Idempotency-Key. If it stays, tell the operator the request_id.",
  },
  rate_unavailable: {
    meaning: "There is no fresh exchange rate for the pair, so nothing is quoted. Nothing was changed.",
    remedy: "Retry after the seconds in Retry-After. GET /api/v1/pairs tells by quoting whether the pair is up.",
  },
  liquidity_unavailable: {
    meaning:
      "The service cannot pay so much on this chain just now on top of what it has promised, or cannot pay there at all, so it does not promise to. Nothing was stored.",
    remedy: "Retry after the seconds in Retry-After, or quote less. GET /api/v1/pairs tells by quoting whether the pair is up.",
  },
  temporarily_unavailable: {
    meaning: "The service cannot reach its database, or is restarting. Whether the request took effect may be unknown.",
    remedy: "Retry after the seconds in Retry-After, with the same Idempotency-Key: what was done is not done twice.",
  },
};

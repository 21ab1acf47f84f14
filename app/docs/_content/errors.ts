import type { RefusalCode } from "#domain/refusal.ts";

export type ErrorAdvice = {
  /** What it means. */
  meaning: string;
  /** What to do. */
  remedy: string;
  /** Members of the problem document beyond the usual ones. */
  members?: Record<string, string>;
};

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
  missing_credentials: {
    meaning: "One of the headers that every signed request carries is missing or empty.",
    remedy: "Send Authorization with your API key, and the timestamp, nonce and signature headers, on every request under /api/v1.",
  },
  signature_required: {
    meaning:
      "The key has signed management, and the request would change something on the partner-management surface without being signed.",
    remedy: "Send the timestamp, nonce and signature headers beside apiKey, over the same signing string as under /api/v1.",
  },
  missing_api_key: {
    meaning: "The apiKey header is missing.",
    remedy: "Send your API key in the header apiKey.",
  },
  unknown_api_key: {
    meaning: "No API key of this service has this value.",
    remedy: "Compare it with the key you were issued: the whole of it, without spaces, for this environment (key_test_… or key_live_…).",
  },
  revoked_api_key: {
    meaning: "The key existed, but it was revoked, rotated away or has expired.",
    remedy: "Use the key that replaced it, or ask for a new one.",
  },
  stale_timestamp: {
    meaning: "The timestamp header is not Unix epoch seconds in digits, or differs from the server's time by more than 5 minutes.",
    remedy: "Take the time when you sign, in seconds, and keep the machine's clock in step (NTP). GET /time tells the server's time.",
    members: {
      server_time: "The server's time.",
      skew_seconds: "How far your timestamp is from it; null where it is no number of seconds.",
    },
  },
  invalid_nonce: {
    meaning: "The nonce header is not a UUID of version 4.",
    remedy: "Make a fresh random UUIDv4 for every request, retries included.",
  },
  signature_mismatch: {
    meaning: "The signature is not the HMAC-SHA256 of this request under this key's secret.",
    remedy:
      "Compare the member received with what you signed: the first field that differs names the mistake. Most often the body was serialised again after signing, the query was re-encoded or re-ordered, or the path lacks its prefix.",
    members: {
      received: "The request as the server reads it: method, path, query, body_length, body_sha256 and signing_string_sha256.",
    },
  },
  nonce_reused: {
    meaning: "This key has already sent a validly signed request with this nonce.",
    remedy: "Sign every request anew, retries included: new timestamp, new nonce, new signature.",
  },
  invalid_credentials: {
    meaning: "Username, password or one-time code is wrong. Which of them is not told.",
    remedy: "Try again with the right ones. A one-time code works once, and only in its half minute.",
  },
  invalid_token: {
    meaning: "The access token is unknown, was revoked or has run out, or its user may no longer sign in.",
    remedy: "Log in again; a token lives for the expires_in seconds that the log-in tells.",
  },
  one_time_code_required: {
    meaning: "The console's sign-in wants the one-time code beside the password. The API does not answer this.",
    remedy: "Enter the code that your authenticator app shows, or one of your recovery codes.",
  },
  ip_not_allowed: {
    meaning: "The key may be used from certain addresses only, and this is none of them.",
    remedy: "Send from an allowed address, or have the key's allow-list changed.",
  },
  scope_missing: {
    meaning: "The key was issued without the scope that this operation asks for.",
    remedy: "Use a key that carries it; the page of operations names the scope of each.",
  },
  partner_suspended: {
    meaning: "The partner's account is suspended. Settlements under way still run to their end.",
    remedy: "Talk to the operator.",
  },
  forbidden: {
    meaning: "The caller is known, but this operation is not for it.",
    remedy: "Operations of the operator want an operator's key or user with the right role.",
  },
  step_up_required: {
    meaning:
      "What was asked for wants a person who gave the password or a one-time code within the last five minutes; the second of two, the one-time code. A key is never asked.",
    remedy:
      "In the console, give it in the dialog that opens; what was asked for then goes on. An access token is as fresh as its log-in: log in again, with otp where there are two factors.",
  },
  enrolment_required: {
    meaning: "This person's role decides on settlements, and the service lets such people in with two factors only. They have one.",
    remedy: "Sign in to the console: it leads through the set-up. Then log in with the one-time code.",
  },
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
    remedy: "Wait a second and send it again, signed anew: you will get the first one's answer.",
  },
  conflict: {
    meaning: "Something with this unique value exists already.",
    remedy: "Use what exists, or another value.",
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
    remedy: "GET /api/v1/pairs lists what is.",
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
    meaning: "The resulting amount has more digits than a JSON number carries exactly.",
    remedy: "Split it into several settlements.",
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

import type { RefusalCode } from "#domain/refusal.ts";
import type { ErrorAdvice } from "./error-advice.ts";

/** The refusals that concern who calls and what the caller may do: 401 and 403. */
export const CREDENTIAL_ERRORS = {
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
    remedy: "Sign every request again, retries included: new timestamp, new nonce, new signature.",
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
} satisfies Partial<Record<RefusalCode, ErrorAdvice>>;

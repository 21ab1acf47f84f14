import type { RefusalCode } from "#domain/refusal.ts";
import type { ErrorAdvice } from "./error-advice.ts";

/** Refusals about the caller and its permissions: 401 and 403. */
export const CREDENTIAL_ERRORS = {
  missing_credentials: {
    meaning: "One of the headers that every signed request carries is missing or empty.",
    remedy: "Send Authorization with your API key, and the timestamp, nonce and signature headers, on every request under /api/v1.",
  },
  signature_required: {
    meaning:
      "The key's signed_management demands a signature, and the request to the partner-management surface has none. With true, it demands one on every change; with all, on every request.",
    remedy: "Send the timestamp, nonce and signature headers together with apiKey, over the same signing string as under /api/v1.",
  },
  missing_api_key: {
    meaning: "The apiKey header is missing.",
    remedy: "Send your API key in the header apiKey.",
  },
  unknown_api_key: {
    meaning: "No API key of this service has this value.",
    remedy:
      "Compare it with the key that you were issued. Send all of it, without spaces, and use the key of this environment (key_test_… or key_live_…).",
  },
  revoked_api_key: {
    meaning: "The key existed, but it was revoked, was rotated or has expired.",
    remedy: "Use the key that replaced it, or ask for a new one.",
  },
  stale_timestamp: {
    meaning: "The timestamp header is not Unix epoch seconds in digits, or differs from the server's time by more than 5 minutes.",
    remedy: "Use the time of signing, in seconds, and keep the machine's clock synchronised (NTP). GET /time shows the server's time.",
    members: {
      server_time: "The server's time.",
      skew_seconds: "How far your timestamp is from it; null if it is not a number of seconds.",
    },
  },
  invalid_nonce: {
    meaning: "The nonce header is not a UUID of version 4.",
    remedy: "Generate a new random UUIDv4 for every request, retries included.",
  },
  signature_mismatch: {
    meaning: "The signature is not the HMAC-SHA256 of this request under this key's secret.",
    remedy:
      "Compare the member received with what you signed. The first field that differs shows the mistake. Usually the body was serialised again after signing, the query was re-encoded or re-ordered, or the path lacks its prefix.",
    members: {
      received: "The request as the server reads it: method, path, query, body_length, body_sha256 and signing_string_sha256.",
    },
  },
  nonce_reused: {
    meaning: "This key has already sent a validly signed request with this nonce.",
    remedy: "Sign every request again, retries included, with a new timestamp, nonce and signature.",
  },
  invalid_credentials: {
    meaning: "Username, password or one-time code is wrong. The answer does not say which.",
    remedy: "Try again with the right values. A one-time code works only once and only for half a minute.",
  },
  invalid_token: {
    meaning: "The access token is unknown, was revoked or has expired, or its user may no longer sign in.",
    remedy: "Log in again. A token is valid for the expires_in seconds that the log-in returns.",
  },
  one_time_code_required: {
    meaning: "The console's sign-in requires the one-time code as well as the password. The API never returns this code.",
    remedy: "Enter the code that your authenticator app shows, or one of your recovery codes.",
  },
  ip_not_allowed: {
    meaning: "The key may be used only from certain addresses, and this address is not one of them.",
    remedy: "Send from an allowed address, or have the key's allow-list changed.",
  },
  scope_missing: {
    meaning: "The key was issued without the scope that this operation requires.",
    remedy: "Use a key with this scope. The operations page names the scope of each operation.",
  },
  partner_suspended: {
    meaning: "The partner's account is suspended. Settlements in progress still run to their end.",
    remedy: "Contact the operator.",
  },
  forbidden: {
    meaning: "The caller is known, but may not use this operation.",
    remedy: "Operator operations require an operator's key, or an operator's user with the right role.",
  },
  step_up_required: {
    meaning:
      "This action needs a recent sign-in: the password or a one-time code, entered within the last five minutes. A second approval needs the one-time code. The service never asks this of a key.",
    remedy:
      "In the console, enter it in the dialog that opens; the action then continues. An access token is only as fresh as its log-in, so log in again. Include otp if the user has two factors.",
  },
  person_required: {
    meaning: "For operators: a person must do this, not a key. In live mode, for example, no key releases a held payment.",
    remedy: "Sign in to the console or with POST /login, and do it as a person.",
  },
  passkey_required: {
    meaning:
      "For operators: a person's passkey must sign this decision, and neither a key nor an access token can. In live mode this holds for approvals above a configured amount, releases, lifts of halts, limits, terms and the approval policy.",
    remedy: "Decide it in the console, which shows what you sign. If you have no passkey, add one there under Account.",
  },
  enrolment_required: {
    meaning: "This person's role decides on settlements, which requires two factors. The person has only one.",
    remedy: "Sign in to the console, which guides you through the set-up. Then log in with the one-time code.",
  },
  single_sign_on_required: {
    meaning: "This person's company signs in only with its own identity provider, so a password does not work here.",
    remedy: "Sign in to the console with the company's identity. Programs use an API key.",
  },
} satisfies Partial<Record<RefusalCode, ErrorAdvice>>;

import { hash as digest } from "node:crypto";
import { findApiKeyByHash } from "#db/queries/access/api-keys.ts";
import { type ApiKey, hasKeyForm, keyHash } from "#domain/api-key.ts";
import { type MessageSignature, messageSignatureMatches } from "#domain/message-signature.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { type SignedRequest, signatureMatches, signingString } from "#domain/signing.ts";
import type { Uses } from "#server/context.ts";
import { refuseEnded, unknownKey } from "./authenticate-api-key.ts";
import type { KnownKey, KnownKeys } from "./known-keys.ts";

/**
 * A request as it came off the wire, with what its signing headers say. `message`: it was signed as RFC 9421 says, its `created` being the
 * timestamp; null: by the headers of part 3.
 */
export type SignedArrival = SignedRequest & { apiKey: string; nonce: string; signature: string; message: MessageSignature | null };
/** Whose request it is, and the nonce that remains to be burnt, in lower case. */
export type Authenticated = { known: KnownKey; nonce: string };

export const TOLERANCE_SECONDS = 300;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Authenticates a signed request: key, timestamp, nonce format and signature, checked in this order (contract, part 3). It does not burn
 * the nonce: rate limiting comes first, so that a refused request can be sent again unchanged.
 *
 * A key that this process has cached is not read again: the statement that burns its nonce also checks that it is still valid.
 *
 * `onKey` gets the key as soon as it is known, so that a refusal can be attributed to it.
 *
 * @throws Refusal `unknown_api_key`, `revoked_api_key`, `stale_timestamp`, `invalid_nonce`, `signature_mismatch`.
 */
export async function authenticateSignedRequest(
  ctx: Uses<"db" | "clock">,
  keys: KnownKeys,
  arrival: SignedArrival,
  onKey: (key: ApiKey) => void = () => {},
): Promise<Authenticated> {
  const hash = keyHash(arrival.apiKey);
  const remembered = keys.find(hash);
  if (remembered !== null) {
    const authenticated = unlessRefused(() => judge(remembered, arrival, ctx.clock.now()));
    if (authenticated !== null) {
      onKey(remembered.key);
      return authenticated;
    }
  }
  const found = hasKeyForm(arrival.apiKey) ? await findApiKeyByHash(ctx.db, hash) : null;
  if (found === null) throw unknownKey(arrival.apiKey);
  onKey(found.key);
  refuseEnded(found.key, ctx.clock.now());
  return judge(keys.learn(hash, found), arrival, ctx.clock.now());
}

function judge(known: KnownKey, arrival: SignedArrival, now: Date): Authenticated {
  refuseEnded(known.key, now);
  refuseStale(arrival.timestamp, now);
  refuseExpired(arrival.message, now);
  const nonce = arrival.nonce.toLowerCase();
  if (!isNonce(nonce)) throw new Refusal("invalid_nonce");
  if (!holds(known, arrival)) throw mismatch(arrival);
  return { known, nonce };
}

function holds({ signs }: KnownKey, arrival: SignedArrival): boolean {
  const { message } = arrival;
  return message === null ? signatureMatches(signs, arrival, arrival.signature) : messageSignatureMatches(signs, message);
}

/** A refusal of a cached key is checked again against the database. */
function unlessRefused<Result>(check: () => Result): Result | null {
  try {
    return check();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Whether a text in lower case is a nonce. */
export function isNonce(text: string): boolean {
  return UUID_V4.test(text);
}

/** Ages are in whole seconds, and exactly 300 is still valid (contract, parts 3 and 9). Real time. */
function refuseStale(timestamp: string, now: Date): void {
  const serverSeconds = Math.floor(now.getTime() / 1_000);
  const skew = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) - serverSeconds : null;
  if (skew !== null && Math.abs(skew) <= TOLERANCE_SECONDS) return;
  throw new Refusal("stale_timestamp", {
    ...(skew === null ? { detail: "The timestamp must be Unix epoch seconds, digits only." } : {}),
    members: { server_time: now.toISOString(), skew_seconds: skew },
  });
}

/** A signature may end sooner than its time does, never later. */
function refuseExpired(message: MessageSignature | null, now: Date): void {
  if (message?.expires == null || message.expires >= Math.floor(now.getTime() / 1_000)) return;
  const members = { server_time: now.toISOString(), skew_seconds: message.expires - Math.floor(now.getTime() / 1_000) };
  throw new Refusal("stale_timestamp", { detail: "The signature has expired by its own expires parameter.", members });
}

/** What the server read, so that a partner can find the byte in which its signing string differs. */
function mismatch(arrival: SignedArrival): Refusal {
  const { message } = arrival;
  return new Refusal("signature_mismatch", {
    ...(message?.digestHolds === false ? { detail: "Content-Digest does not match the body as received." } : {}),
    members: {
      received: {
        method: arrival.method,
        path: arrival.path,
        query: arrival.query,
        body_length: arrival.body.length,
        body_sha256: digest("sha256", arrival.body),
        signing_string_sha256: digest("sha256", message?.base ?? signingString(arrival)),
      },
    },
  });
}

import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";

/** The five components of a signed request (specification, part 5). */
export type SignedRequest = {
  /** The exact text of the timestamp header. */
  timestamp: string;
  method: string;
  /** The path and the query as they were on the wire, one character for each byte (what `node:http` calls `url`). */
  path: string;
  /** Without the `?`; empty when there is none. */
  query: string;
  /** The bytes on the wire; empty when there are none. */
  body: Uint8Array;
};

const HEX_SHA256 = /^[0-9a-fA-F]{64}$/;
const WEBHOOK_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/**
 * The signed bytes: the five components joined by single newlines. Bytes and not text, because decoding must not repair a body that is not
 * UTF-8 into one that verifies.
 */
export function signingString(request: SignedRequest): Buffer {
  const head = `${request.timestamp}\n${request.method.toUpperCase()}\n${request.path}\n${request.query}\n`;
  // A character beyond one byte cannot have come off the wire; cutting it down would let two requests share one signature.
  for (let index = 0; index < head.length; index += 1) {
    if (head.charCodeAt(index) > 0xff) throw new RangeError("a request target is bytes: percent-encode it first");
  }
  return Buffer.concat([Buffer.from(head, "latin1"), request.body]);
}

/** The hex HMAC-SHA256 of the signing string; the key is the UTF-8 bytes of the secret as issued (contract, part 3). */
export function sign(secret: string | KeyObject, request: SignedRequest): string {
  return hmac(secret, signingString(request)).toString("hex");
}

/** Whether `signature` is the request's, in constant time. Hex in either case; all 32 bytes or nothing. */
export function signatureMatches(secret: string | KeyObject, request: SignedRequest, signature: string): boolean {
  if (!HEX_SHA256.test(signature)) return false;
  return timingSafeEqual(hmac(secret, signingString(request)), Buffer.from(signature, "hex"));
}

/**
 * One signature of the Standard Webhooks scheme (contract, part 4): `v1,` and base64. The secret is `whsec_` and base64 of the
 * key; during a rotation the header carries two signatures with a space between.
 */
export function webhookSignature(secret: string | KeyObject, id: string, timestampSeconds: number, body: string | Uint8Array): string {
  const key = typeof secret === "string" ? webhookKey(secret) : secret;
  const signed = createHmac("sha256", key).update(`${id}.${timestampSeconds}.`).update(body);
  return `v1,${signed.digest("base64")}`;
}

/** What signs callbacks with this secret, made once for many. */
export function webhookKey(secret: string): KeyObject {
  const key = WEBHOOK_SECRET.exec(secret)?.[1];
  if (!key) throw new RangeError("a callback secret is whsec_ and base64");
  return createSecretKey(key, "base64");
}

/** What signs requests with this secret, made once for many. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret, "utf8");
}

function hmac(secret: string | KeyObject, message: Uint8Array): Buffer {
  return createHmac("sha256", secret).update(message).digest();
}

/** A new secret for signing callbacks, in the form of Standard Webhooks. */
export function newCallbackSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

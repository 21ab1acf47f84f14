import { type KeyObject, randomUUID } from "node:crypto";
import { targetOf } from "#domain/callback.ts";
import { sign, webhookSignature } from "#domain/signing.ts";

export type AttemptToSign = {
  /** The callback's id: the same on every attempt. */
  id: string;
  url: string;
  body: string;
  /** Real time: what the receiver compares with its own clock. */
  now: Date;
  /** The partner's `whsec_…` secrets in force, newest first. */
  webhookSecrets: readonly (string | KeyObject)[];
  /** The API secret of the key that created the subject, or of its successor. */
  apiSecret: string | KeyObject;
  /** Replaces `Service` in the header names of the request signature. */
  brand: string;
  /** Signs with a private key for public verification; null: there is none. */
  signPublicly: ((id: string, timestampSeconds: number, body: Uint8Array) => string) | null;
};

/**
 * The headers of one attempt under both schemes (contract, part 4): Standard Webhooks, and the request signature that partners use, over
 * the path and query as given, which also go on the wire. With a private key, the first scheme has one more signature, after those under
 * the partner's secrets.
 */
export function signAttempt(attempt: AttemptToSign): Record<string, string> {
  const seconds = Math.floor(attempt.now.getTime() / 1_000);
  const timestamp = String(seconds);
  const { path, query } = targetOf(attempt.url);
  const body = Buffer.from(attempt.body, "utf8");
  if (attempt.webhookSecrets.length === 0) throw new Error("the partner has no callback secret");
  const signatures = attempt.webhookSecrets.map((secret) => webhookSignature(secret, attempt.id, seconds, body));
  if (attempt.signPublicly !== null) signatures.push(attempt.signPublicly(attempt.id, seconds, body));
  return {
    "content-type": "application/json",
    "webhook-id": attempt.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
    [`X-${attempt.brand}-Timestamp`]: timestamp,
    [`X-${attempt.brand}-Nonce`]: randomUUID(),
    [`X-${attempt.brand}-Signature`]: sign(attempt.apiSecret, {
      timestamp,
      method: "POST",
      path,
      query,
      body,
    }),
  };
}

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
  /** Of the key that created the subject, or of the one that took its place. */
  apiSecret: string | KeyObject;
  /** What stands for `Service` in the mirrored scheme's header names. */
  brand: string;
  /** Signs for anyone who has the partner's public key alone; null: nobody is signed for so. */
  signPublicly: ((id: string, timestampSeconds: number, body: Uint8Array) => string) | null;
};

/**
 * The headers of one attempt under both schemes (contract, part 4): Standard Webhooks, and the mirror of how partners sign their
 * own requests, over the path and query as they were given, which is how they go on the wire. Where there is a key for it, the first has
 * one signature more, behind those under the partner's secrets.
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

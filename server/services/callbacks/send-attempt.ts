import type { KeyObject } from "node:crypto";
import type { SealedSigning } from "#db/queries/callbacks/callback-signing.ts";
import type { CallbackOutcome } from "#domain/callback.ts";
import { ATTEMPT_TIMEOUT_MS } from "#domain/callback.ts";
import type { CallbackKeys } from "#domain/callback-key.ts";
import { callbackSecretOf, type SealedPlace, secretOfKey } from "#domain/sealed-place.ts";
import { signingKey, webhookKey } from "#domain/signing.ts";
import type { Uses } from "#server/context.ts";
import { type AttemptToSign, signAttempt } from "./sign-attempt.ts";

export type AttemptToSend = {
  callback: { id: string; url: string; body: string };
  signing: SealedSigning;
  /** Replaces `Service` in the header names of the request signature. */
  brand: string;
  /** Signs with a private key for public verification; null: there is none. */
  signPublicly: CallbackKeys["sign"];
  /** What goes along as `traceparent`; left out: nothing. */
  trace?: string | null;
  /** Calls the attempt off. */
  signal: AbortSignal;
};

/**
 * Signs and sends one attempt, once, within its deadline. Every failure is in the outcome: it never throws. No transaction may be open.
 * `headers`: as signed, even if nothing could be sent.
 */
export async function sendAttempt(
  ctx: Uses<"clock" | "vault" | "callbacks" | "log">,
  { callback, signing, brand, signPublicly, trace, signal }: AttemptToSend,
): Promise<{ headers: Record<string, string>; outcome: CallbackOutcome }> {
  const { url, body } = callback;
  try {
    const signed = attemptHeaders(ctx, callback, { signing, brand, signPublicly });
    const headers = trace ? { ...signed, traceparent: trace } : signed;
    return { headers, outcome: await ctx.callbacks.send({ url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS, signal }) };
  } catch (error) {
    // Our own fault, which the partner sees as a failed attempt. An unsigned callback would be worse.
    ctx.log.error({ error, callback_id: callback.id }, "a callback could not be signed");
    return { headers: {}, outcome: NOT_SENT };
  }
}

/** What signs it as of now. `signPublicly` left out: nobody is signed for with a public key. */
export function attemptHeaders(
  { vault, clock }: Uses<"clock" | "vault">,
  { id, url, body }: AttemptToSend["callback"],
  { signing, brand, signPublicly = null }: Pick<AttemptToSend, "signing" | "brand"> & Partial<Pick<AttemptToSend, "signPublicly">>,
): Record<string, string> {
  const kept = (sealed: string, place: SealedPlace, toKey: (secret: string) => KeyObject) =>
    opened(`${place.join(" ")} ${sealed}`, () => toKey(vault.open(sealed, place)));
  const webhookSecrets = signing.webhookSecrets.map((sealed) => kept(sealed, callbackSecretOf(signing.secretsOf), webhookKey));
  const apiSecret = kept(signing.apiSecret, secretOfKey(signing.signerId), signingKey);
  const signForPartner: AttemptToSign["signPublicly"] = signPublicly && ((...args) => signPublicly(signing.secretsOf, ...args));
  return signAttempt({ id, url, body, now: clock.now(), webhookSecrets, apiSecret, brand, signPublicly: signForPartner });
}

/** Decrypts a secret and prepares its key once for all attempts that it signs, in a cache of the most recently used. */
function opened(sealed: string, open: () => KeyObject): KeyObject {
  const key = keys.get(sealed) ?? open();
  keys.delete(sealed);
  keys.set(sealed, key);
  for (const oldest of keys.keys()) {
    if (keys.size <= REMEMBERED_KEYS) break;
    keys.delete(oldest);
  }
  return key;
}
const keys = new Map<string, KeyObject>();
const REMEMBERED_KEYS = 1_000;

const NOT_SENT: CallbackOutcome = {
  durationMs: 0,
  timings: {},
  requestHeaders: null,
  status: null,
  responseHeaders: null,
  responseBody: null,
  responseBytes: null,
  remoteAddress: null,
  trouble: { kind: "internal", message: "The callback could not be sent because of an internal error." },
};

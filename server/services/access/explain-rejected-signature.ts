import { createHash } from "node:crypto";
import { findApiKey, listApiKeys } from "#db/queries/api-keys.ts";
import { findRefusedRequest } from "#db/queries/api-requests.ts";
import { findNonceUse } from "#db/queries/nonces.ts";
import type { Uses } from "#server/context.ts";
import type { ApiKey } from "#server/domain/api-key.ts";
import type { ApiRequest, RefusedSignedRequest } from "#server/domain/api-request.ts";
import { isId } from "#server/domain/ids.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { nameSignatureMistake, type SignatureVerdict } from "#server/domain/signature-mistakes.ts";
import { type SignedRequest, signingString } from "#server/domain/signing.ts";
import { isNonce, TOLERANCE_SECONDS } from "./authenticate-signed-request.ts";

export type SigningCheck = {
  name: "key" | "timestamp_form" | "timestamp_skew" | "nonce_form" | "signature_form" | "signature" | "nonce_unused";
  /** `unknown`: not judged, or no longer to be told. */
  outcome: "passed" | "failed" | "unknown";
  sentence: string;
};

export type RejectedSignature = {
  request: ApiRequest;
  checks: SigningCheck[];
  /** The five as the server read them, and what they make together; `body` is read as UTF-8. */
  components: { timestamp: string; method: string; path: string; query: string; body: string };
  lengths: { timestamp: number; method: number; path: number; query: number; body: number; signingString: number };
  bodyIsUtf8: boolean;
  bodySha256: string;
  signingStringSha256: string;
  receivedSignature: string;
  contentType: string | null;
  verdict: SignatureVerdict;
};

/** How many other keys of the partner are tried. */
const OTHER_KEYS = 20;

/**
 * Why a request with one of the partner's own keys was refused as signed: every check, the five components as they were read, and
 * the known mistake that the signature was made with. For people of this partner and the operator's, who leave `partnerId` out. Never
 * tells a secret or the right signature.
 *
 * @throws Refusal `not_found` where the partner has no such refused request, or its particulars are forgotten (after 7 days).
 */
export async function explainRejectedSignature(
  ctx: Uses<"db" | "vault">,
  { partnerId, requestId }: { partnerId?: string; requestId: string },
): Promise<RejectedSignature> {
  const found = isId("request", requestId) ? await findRefusedRequest(ctx.db, requestId, partnerId) : null;
  const key = found?.request.apiKeyId ? await findApiKey(ctx.db, found.request.apiKeyId) : null;
  if (!found || !key || (partnerId !== undefined && key.partner?.id !== partnerId)) throw new Refusal("not_found");
  const { request, refused, body } = found;
  const { method, path, query } = request;
  const signed: SignedRequest = { timestamp: refused.timestamp, method, path, query, body };
  const verdict = nameSignatureMistake({
    request: signed,
    secret: ctx.vault.open(key.sealedSecret),
    signature: refused.signature,
    signedWithApiKey: refused.signedWithApiKey,
    host: refused.host,
    nonce: refused.nonce,
    otherSecrets: await readOtherSecrets(ctx, key),
  });
  const text = body.toString("utf8");
  return {
    request,
    checks: await judge(ctx, found, key, verdict),
    components: { timestamp: refused.timestamp, method, path, query, body: text },
    lengths: { ...lengthsOf(signed), body: body.length, signingString: signingString(signed).length },
    bodyIsUtf8: Buffer.from(text).equals(body),
    bodySha256: sha256(body),
    signingStringSha256: sha256(signingString(signed)),
    receivedSignature: refused.signature,
    contentType: refused.contentType,
    verdict,
  };
}

/** Of the same holder alone: of a partner's request, that partner's; of the operator's, the operator's. */
async function readOtherSecrets(ctx: Uses<"db" | "vault">, own: ApiKey): Promise<{ name: string; secret: string }[]> {
  const { items } = await listApiKeys(ctx.db, { partnerId: own.partner?.id ?? null }, { skip: 0, limit: OTHER_KEYS });
  const others: { name: string; secret: string }[] = [];
  for (const { id, name, lastFour } of items.filter((item) => item.id !== own.id)) {
    const key = await findApiKey(ctx.db, id);
    const secret = key && opened(ctx, key.sealedSecret);
    if (secret) others.push({ name: `the key “${name}” (…${lastFour})`, secret });
  }
  return others;
}

/** Null when it was sealed under a key of the vault that is gone. */
function opened({ vault }: Uses<"vault">, sealed: string): string | null {
  try {
    return vault.open(sealed);
  } catch {
    return null;
  }
}

async function judge(
  ctx: Uses<"db">,
  { request, refused }: RefusedSignedRequest,
  key: ApiKey,
  verdict: SignatureVerdict,
): Promise<SigningCheck[]> {
  const isSeconds = /^\d{1,15}$/.test(refused.timestamp);
  const skew = Number(refused.timestamp) - Math.floor((request.at.getTime() - request.durationMs) / 1_000);
  const isFresh = isSeconds && Math.abs(skew) <= TOLERANCE_SECONDS;
  const isHex = /^[0-9a-f]{64}$/i.test(refused.signature);
  const hasNonce = isNonce(refused.nonce.toLowerCase());
  const burntAt = hasNonce ? await findNonceUse(ctx.db, key.id, refused.nonce.toLowerCase()) : null;
  const wasBurnt = request.code === "nonce_reused";
  return [
    check("key", true, `The key “${key.name}” (…${key.lastFour}) was known and in force.`),
    check(
      "timestamp_form",
      isSeconds,
      isSeconds ? "The timestamp is in digits." : "The timestamp must be Unix epoch seconds, digits only.",
    ),
    check("timestamp_skew", isSeconds ? isFresh : null, isSeconds ? skewSentence(skew) : "Not judged: the timestamp has another form."),
    check("nonce_form", hasNonce, hasNonce ? "The nonce is a UUIDv4." : "The nonce must be a UUIDv4, new for each request."),
    check("signature_form", isHex, isHex ? "The signature has 64 hexadecimal digits." : "The signature must be 64 hexadecimal digits."),
    check("signature", verdict.outcome === "right", verdict.sentence),
    check("nonce_unused", wasBurnt ? false : burntAt === null ? true : null, nonceSentence(wasBurnt, burntAt)),
  ];
}

function skewSentence(skew: number): string {
  const side = skew === 0 ? "the server's time" : `${Math.abs(skew)} s ${skew > 0 ? "ahead of" : "behind"} the server's time`;
  const millis = skew > 1e11 ? " It looks like milliseconds: send seconds." : "";
  return `The timestamp was ${side}; the limit is ${TOLERANCE_SECONDS} s.${millis}`;
}

function nonceSentence(wasBurnt: boolean, burntAt: Date | null): string {
  const when = burntAt === null ? "before" : `at ${burntAt.toISOString()}`;
  if (wasBurnt) return `An accepted request had used the nonce ${when}. Every request needs a new one, a repeated one too.`;
  return burntAt === null ? "No accepted request had used the nonce." : `An accepted request used the nonce ${when}.`;
}

function check(name: SigningCheck["name"], passed: boolean | null, sentence: string): SigningCheck {
  return { name, outcome: passed === null ? "unknown" : passed ? "passed" : "failed", sentence };
}

function lengthsOf({ timestamp, method, path, query }: SignedRequest) {
  return { timestamp: timestamp.length, method: method.length, path: path.length, query: query.length };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

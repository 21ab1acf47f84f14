import { createHash } from "node:crypto";
import { findApiKey, listApiKeys } from "#db/queries/access/api-keys.ts";
import { findRefusedRequest } from "#db/queries/access/api-requests.ts";
import { findNonceUse } from "#db/queries/access/nonces.ts";
import { type ApiKey, isInForce } from "#domain/api-key.ts";
import type { ApiRequest, RefusedSignatureParticulars, RefusedSignedRequest } from "#domain/api-request.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import { secretOfKey } from "#domain/sealed-place.ts";
import { nameSignatureMistake } from "#domain/signature-debugger/mistakes.ts";
import type { SignatureVerdict } from "#domain/signature-debugger/search.ts";
import { type SignedRequest, signingString } from "#domain/signing.ts";
import type { Uses } from "#server/context.ts";
import { isNonce, TOLERANCE_SECONDS } from "./authenticate-signed-request.ts";

export type SigningCheck = {
  name:
    | "headers"
    | "key"
    | "timestamp_form"
    | "timestamp_skew"
    | "nonce_form"
    | "nonce_unused"
    | "signature_form"
    | "signature"
    | "content_type";
  /** `unknown`: not checked, or no longer available. */
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
  /** Its beginning and its length: the whole signature may be the right one in another form. */
  receivedSignature: { begins: string; length: number };
  contentType: string | null;
  verdict: SignatureVerdict;
};

const SHOWN_DIGITS = 8;
/** How many other keys of the partner are tried. */
const OTHER_KEYS = 20;

/**
 * Explains why a signed request with one of the partner's own keys was refused: every check, the five components as the server read them,
 * and the known mistake behind the signature. For this partner's users, and for the operator's, who omit `partnerId`. It never reveals a
 * secret or the right signature.
 *
 * @throws Refusal `not_found` where the partner has no such refused request, or its details are deleted (after 7 days).
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
  const verdict =
    refused.signature === ""
      ? NO_SIGNATURE
      : nameSignatureMistake({
          request: signed,
          secret: ctx.vault.open(key.sealedSecret, secretOfKey(key.id)),
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
    receivedSignature: { begins: refused.signature.slice(0, SHOWN_DIGITS), length: refused.signature.length },
    contentType: refused.contentType,
    verdict,
  };
}

/** Only from the same owner: for a partner's request that partner, for the operator's the operator. */
async function readOtherSecrets(ctx: Uses<"db" | "vault">, own: ApiKey): Promise<{ name: string; secret: string }[]> {
  const { items } = await listApiKeys(ctx.db, { partnerId: own.partner?.id ?? null }, { skip: 0, limit: OTHER_KEYS });
  const others: { name: string; secret: string }[] = [];
  for (const { id, name, lastFour } of items.filter((item) => item.id !== own.id)) {
    const key = await findApiKey(ctx.db, id);
    const secret = key && opened(ctx, key);
    if (secret) others.push({ name: `the key “${name}” (…${lastFour})`, secret });
  }
  return others;
}

/** Null when it was sealed under a key of the vault that is gone. */
function opened({ vault }: Uses<"vault">, key: ApiKey): string | null {
  try {
    return vault.open(key.sealedSecret, secretOfKey(key.id));
  } catch {
    return null;
  }
}

const NO_SIGNATURE: SignatureVerdict = { outcome: "unknown", mistakes: [], sentence: "There was no signature to check." };

async function judge(ctx: Uses<"db">, found: RefusedSignedRequest, key: ApiKey, verdict: SignatureVerdict): Promise<SigningCheck[]> {
  const { request, refused, body } = found;
  const { missing = [] } = refused;
  const sentAt = new Date(request.at.getTime() - request.durationMs);
  const inForce = isInForce(key, sentAt);
  return [
    check("headers", missing.length === 0, missing.length === 0 ? "All four headers were present." : `Missing: ${missing.join(", ")}.`),
    check("key", inForce, `The key “${key.name}” (…${key.lastFour}) was known and ${inForce ? "in force" : "had ended"}.`),
    ...judgeTimestamp(refused, sentAt),
    ...(await judgeNonce(ctx, request, refused, key)),
    ...judgeSignature(refused, verdict),
    judgeContentType(request, refused, body),
  ];
}

function judgeTimestamp({ timestamp }: RefusedSignatureParticulars, sentAt: Date): SigningCheck[] {
  if (timestamp === "") return [check("timestamp_form", null, "There was no timestamp.")];
  const isSeconds = /^\d{1,15}$/.test(timestamp);
  const skew = Number(timestamp) - Math.floor(sentAt.getTime() / 1_000);
  const isFresh = isSeconds && Math.abs(skew) <= TOLERANCE_SECONDS;
  const form = isSeconds ? "The timestamp is in digits." : "The timestamp must be Unix epoch seconds, digits only.";
  return [
    check("timestamp_form", isSeconds, form),
    check(
      "timestamp_skew",
      isSeconds ? isFresh : null,
      isSeconds ? skewSentence(skew) : "Not checked, because the timestamp has the wrong form.",
    ),
  ];
}

async function judgeNonce(
  ctx: Uses<"db">,
  { code }: ApiRequest,
  { nonce }: RefusedSignatureParticulars,
  key: ApiKey,
): Promise<SigningCheck[]> {
  if (nonce === "") return [check("nonce_form", null, "There was no nonce.")];
  const hasForm = isNonce(nonce.toLowerCase());
  const burntAt = hasForm
    ? await findNonceUse(ctx.db, { apiKeyId: key.id, partnerId: key.partner?.id ?? null }, nonce.toLowerCase())
    : null;
  const wasBurnt = code === "nonce_reused";
  return [
    check("nonce_form", hasForm, hasForm ? "The nonce is a UUIDv4." : "The nonce must be a UUIDv4, new for each request."),
    check("nonce_unused", wasBurnt ? false : burntAt === null ? true : null, nonceSentence(wasBurnt, burntAt)),
  ];
}

function judgeSignature({ signature }: RefusedSignatureParticulars, verdict: SignatureVerdict): SigningCheck[] {
  if (signature === "") return [check("signature_form", null, NO_SIGNATURE.sentence)];
  const isHex = /^[0-9a-f]{64}$/i.test(signature);
  const isRight = verdict.outcome === "right";
  return [
    check("signature_form", isHex, isHex ? "The signature has 64 hexadecimal digits." : "The signature must be 64 hexadecimal digits."),
    check("signature", isRight, isRight ? verdict.sentence : "The signature does not match what the server read."),
  ];
}

/** Checked after the signature, so it was never the cause. But the next refusal would be about it. */
function judgeContentType({ method }: ApiRequest, { contentType }: RefusedSignatureParticulars, body: Uint8Array): SigningCheck {
  if (method === "GET" || body.length === 0) return check("content_type", true, "No body was sent, so no content type is needed.");
  const isJson = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? "");
  const sent = contentType === null ? "none" : `“${contentType}”`;
  return check(
    "content_type",
    isJson,
    isJson ? "The content type is application/json." : `The content type must be application/json; it was ${sent}.`,
  );
}

function skewSentence(skew: number): string {
  const side = skew === 0 ? "the server's time" : `${Math.abs(skew)} s ${skew > 0 ? "ahead of" : "behind"} the server's time`;
  const millis = skew > 1e11 ? " It looks like milliseconds: send seconds." : "";
  return `The timestamp was ${side}; the limit is ${TOLERANCE_SECONDS} s.${millis}`;
}

function nonceSentence(wasBurnt: boolean, burntAt: Date | null): string {
  const when = burntAt === null ? "before" : `at ${burntAt.toISOString()}`;
  if (wasBurnt) return `An accepted request had used the nonce ${when}. Every request needs a new nonce, retries included.`;
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

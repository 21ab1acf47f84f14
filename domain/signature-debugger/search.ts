import { areEqualBytes, type Bytes } from "#domain/bytes.ts";
import type { SignedRequest } from "#domain/signing.ts";
import { BODY_MISTAKES } from "./body-mistakes.ts";
import {
  type DraftCircumstances,
  type MistakeRule,
  messageOf,
  rightDraft,
  type SignatureCircumstances,
  type SignatureDraft,
  type SignatureMistake,
  type WantedDigest,
} from "./drafts.ts";
import { type ReadSignature, readSignature } from "./form.ts";
import { TARGET_MISTAKES } from "./target-mistakes.ts";
import { WAY_MISTAKES } from "./way-mistakes.ts";

export type RefusedSignature = {
  request: SignedRequest;
  /** The secret that belongs to the request's API key. */
  secret: string;
  /** The text of the signature header. */
  signature: string;
  /** Whether the API key itself was the HMAC's key. That is only known during the request, because keys are not stored. */
  signedWithApiKey: boolean;
} & SignatureCircumstances;

/** `right`: it fits what the server read. `mistake`: it fits if exactly these things are changed. `unknown`: nothing tried fits. */
export type SignatureVerdict = { outcome: "right" | "mistake" | "unknown"; mistakes: readonly SignatureMistake[]; sentence: string };

const API_KEY_AS_SECRET: SignatureMistake = {
  id: "api_key_as_secret",
  found: "the API key was used as the secret",
  advice: "The key of the HMAC is the API secret, which was issued together with the API key.",
};

/** Components first: how they were joined and under which key is tried on what they became. */
const RULES: readonly MistakeRule[] = [...TARGET_MISTAKES, ...BODY_MISTAKES, ...WAY_MISTAKES];
const PAIRED = RULES.filter((rule) => !rule.alone);

/** Two mistakes at once are looked for as long as that is some thousands of short hashes. */
const MAX_PAIRED_BYTES = 4_096;

/** Requests one digest after the other; null if the hash is unavailable. */
type Digesting<Result> = Generator<WantedDigest, Result, Bytes | null>;

/**
 * Finds the known mistake, or the two together, with which the request has this signature. A finding is certain: the HMAC computed with the
 * mistake equals the received one. The result reveals neither the secret nor the right signature.
 *
 * The caller computes the digests: the service with its library, a browser with its own. It needs some hundred of them, and if none matches
 * and the body is short, some ten thousand: for a person who asks, never during a request.
 */
export function* searchSignatureMistake(refused: RefusedSignature): Digesting<SignatureVerdict> {
  if (refused.signedWithApiKey) return verdict([API_KEY_AS_SECRET]);
  const read = readSignature(refused.signature);
  const right = rightDraft(refused.request, refused.secret);
  const plain = yield* fitting(read, right);
  if (plain) return verdict(plain.mistakes);
  const about = { ...refused, bodyHash: yield* sha256(right.body), secretHash: yield* sha256(right.secret) };
  for (const found of singles(right, about)) {
    const fits = yield* fitting(read, found.draft);
    if (fits) return verdict([...found.mistakes, ...fits.mistakes]);
  }
  if (read.length === 0) return shapeless();
  if (refused.request.body.length > MAX_PAIRED_BYTES) return verdict(null);
  for (const found of pairs(right, about)) {
    const fits = yield* fitting(read, found.draft);
    if (fits) return verdict([...found.mistakes, ...fits.mistakes]);
  }
  return verdict(null);
}

type Found = { draft: SignatureDraft; mistakes: SignatureMistake[] };

function* singles(right: SignatureDraft, about: DraftCircumstances): Generator<Found> {
  // The rules with few shapes first: they are the likely ones, too.
  for (const rule of [...PAIRED, ...RULES.filter((other) => other.alone)]) yield* shapes(rule, right, about);
}

function* pairs(right: SignatureDraft, about: DraftCircumstances): Generator<Found> {
  for (const [index, first] of PAIRED.entries()) {
    for (const { draft, mistakes } of shapes(first, right, about)) {
      for (const second of PAIRED.slice(index + 1)) {
        if (second.part === first.part) continue;
        for (const found of shapes(second, draft, about)) yield { draft: found.draft, mistakes: [...mistakes, ...found.mistakes] };
      }
    }
  }
}

function* shapes({ id, found, advice, drafts }: MistakeRule, draft: SignatureDraft, about: DraftCircumstances): Generator<Found> {
  for (const { found: exactly, ...changed } of drafts(draft, about)) {
    yield { draft: { ...draft, ...changed }, mistakes: [{ id, found: exactly ?? found, advice }] };
  }
}

function* fitting(read: readonly ReadSignature[], draft: SignatureDraft): Digesting<ReadSignature | undefined> {
  if (read.length === 0) return undefined;
  const wanted = draft.digest({ secret: draft.secret, message: messageOf(draft) });
  for (const reading of read) {
    const own = yield { ...wanted, hash: reading.hash };
    if (own !== null && areEqualBytes(own, reading.digest)) return reading;
  }
  return undefined;
}

function* sha256(message: Bytes): Digesting<Bytes> {
  return (yield { hash: "sha256", key: null, message }) ?? new Uint8Array();
}

function verdict(mistakes: readonly SignatureMistake[] | null): SignatureVerdict {
  if (mistakes === null)
    return {
      outcome: "unknown",
      mistakes: [],
      sentence: "No common mistake matched. Compare your signing string with the five components below, byte by byte.",
    };
  if (mistakes.length === 0) return { outcome: "right", mistakes, sentence: "The signature is right for what the server read." };
  const found = mistakes.map((mistake) => mistake.found).join(", and ");
  return { outcome: "mistake", mistakes, sentence: `The signature matches if ${found}.` };
}

function shapeless(): SignatureVerdict {
  const mistake = {
    id: "signature_of_no_form",
    found: "the signature is neither hexadecimal nor base64, or has the length of no known hash",
    advice: "Send the HMAC-SHA256 as 64 hexadecimal digits and nothing else.",
  };
  return {
    outcome: "mistake",
    mistakes: [mistake],
    sentence: "The signature does not have the form of a digest. It must be 64 hexadecimal digits.",
  };
}

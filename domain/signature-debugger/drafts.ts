import { type Bytes, joinBytes, latin1Bytes, utf8Bytes } from "#domain/bytes.ts";
import type { SignedRequest } from "#domain/signing.ts";

/** A digest to compute with a crypto library: an HMAC, or with `key` null a plain hash. */
export type WantedDigest = { hash: string; key: Bytes | null; message: Bytes };

/** What somebody may have signed in the request's place: the five components, how they were joined, under which key. */
export type SignatureDraft = {
  timestamp: string;
  method: string;
  path: string;
  query: string;
  body: Bytes;
  /** Null: the five, in their order, with a newline between. */
  message: Bytes | null;
  secret: Bytes;
  /** The two computed digests. */
  digest: (draft: { secret: Bytes; message: Bytes }) => Omit<WantedDigest, "hash">;
};

/** More about a refused request, besides its components. */
export type SignatureCircumstances = {
  /** The value of the `Host` header; null: unknown. */
  host: string | null;
  nonce: string;
  /** Other secrets of the same partner, each with a harmless display name. */
  otherSecrets: readonly { name: string; secret: string }[];
};

/** The same, with the hashes that rules ask for; SHA-256. */
export type DraftCircumstances = SignatureCircumstances & { bodyHash: Bytes; secretHash: Bytes };

/** One known mistake. Both texts are for people, and never contain a secret. */
export type SignatureMistake = {
  id: string;
  /** The explanation, as the end of a sentence that begins "The signature matches if ". */
  found: string;
  /** What to do instead: a sentence. */
  advice: string;
};

/** A mistake, and what it makes of a request: several drafts where it has several shapes, none where it does not apply. */
export type MistakeRule = SignatureMistake & {
  /** Of two mistakes of one part only one is tried at a time. */
  part: "timestamp" | "method" | "path" | "query" | "body" | "join" | "secret";
  /** Too many shapes to be tried together with another mistake. */
  alone?: boolean;
  drafts(right: SignatureDraft, about: DraftCircumstances): (Partial<SignatureDraft> & { found?: string })[];
};

/** The bytes that a draft signs. */
export function messageOf(draft: SignatureDraft): Bytes {
  if (draft.message !== null) return draft.message;
  return joinBytes([latin1Bytes(`${draft.timestamp}\n${draft.method}\n${draft.path}\n${draft.query}\n`), draft.body]);
}

/** The five components as bytes, in their order. */
export function componentsOf({ timestamp, method, path, query, body }: SignatureDraft): Bytes[] {
  return [...[timestamp, method, path, query].map(latin1Bytes), body];
}

/** The request as it should have been signed. */
export function rightDraft(request: SignedRequest, secret: string): SignatureDraft {
  const { timestamp, path, query, body } = request;
  return {
    timestamp,
    method: request.method.toUpperCase(),
    path,
    query,
    body: new Uint8Array(body),
    message: null,
    secret: utf8Bytes(secret),
    digest: (draft) => ({ key: draft.secret, message: draft.message }),
  };
}

/** Every order of a few things, the given one first. */
export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

import { createHash, createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { Bytes } from "#domain/bytes.ts";
import type { WantedDigest } from "./drafts.ts";
import { type RefusedSignature, type SignatureVerdict, searchSignatureMistake } from "./search.ts";

const MAX_READY = 64;

/** The mistake that {@link searchSignatureMistake} finds, at once: one to some hundred milliseconds. */
export function nameSignatureMistake(refused: RefusedSignature): SignatureVerdict {
  const search = searchSignatureMistake(refused);
  const digestOf = createDigests();
  let step = search.next();
  while (!step.done) step = search.next(digestOf(step.value));
  return step.value;
}

function createDigests() {
  // Most drafts have the same key: prepared once, an HMAC takes a quarter of the time.
  const ready = new Map<Bytes, KeyObject>();
  const readyKey = (key: Bytes) => {
    const known = ready.get(key);
    if (known) return known;
    if (ready.size > MAX_READY) ready.clear();
    const made = createSecretKey(key);
    ready.set(key, made);
    return made;
  };
  return ({ hash, key, message }: WantedDigest): Bytes =>
    new Uint8Array((key === null ? createHash(hash) : createHmac(hash, readyKey(key))).update(message).digest());
}

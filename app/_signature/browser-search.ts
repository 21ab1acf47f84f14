import { type Bytes, hexBytes, utf8Bytes } from "#domain/bytes.ts";
import { messageOf, rightDraft, type WantedDigest } from "#domain/signature-debugger/drafts.ts";
import { type RefusedSignature, type SignatureVerdict, searchSignatureMistake } from "#domain/signature-debugger/search.ts";

/** WebCrypto's names of the hashes that it has. */
const NAMES: Readonly<Record<string, string>> = { sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };
/** An empty key is padded with zeros, which WebCrypto does not do itself. */
const EMPTY_KEY = new Uint8Array(64);

/** The search of the console's debugger with the browser's own crypto. No request leaves the browser. */
export async function searchInBrowser(refused: Omit<RefusedSignature, "signedWithApiKey"> & { apiKey: string }): Promise<SignatureVerdict> {
  const digestOf = createDigests();
  const search = searchSignatureMistake({ ...refused, signedWithApiKey: await isSignedWith(refused.apiKey, refused, digestOf) });
  let step = search.next();
  while (!step.done) step = search.next(await digestOf(step.value));
  return step.value;
}

export async function sha256(message: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", message));
}

type Digests = (wanted: WantedDigest) => Promise<Bytes | null>;

function createDigests(): Digests {
  const ready = new Map<string, Map<Bytes, Promise<CryptoKey>>>();
  const readyKey = (key: Bytes, name: string) => {
    const keys = ready.get(name) ?? new Map<Bytes, Promise<CryptoKey>>();
    ready.set(name, keys);
    const known = keys.get(key);
    if (known) return known;
    if (keys.size > 64) keys.clear();
    const made = crypto.subtle.importKey("raw", key.length === 0 ? EMPTY_KEY : key, { name: "HMAC", hash: name }, false, ["sign"]);
    keys.set(key, made);
    return made;
  };
  return async ({ hash, key, message }) => {
    const name = NAMES[hash];
    if (name === undefined) return null;
    const digest = key === null ? crypto.subtle.digest(name, message) : crypto.subtle.sign("HMAC", await readyKey(key, name), message);
    return new Uint8Array(await digest);
  };
}

async function isSignedWith(apiKey: string, { request, signature }: Pick<RefusedSignature, "request" | "signature">, digestOf: Digests) {
  if (apiKey === "" || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  const own = await digestOf({ hash: "sha256", key: utf8Bytes(apiKey), message: messageOf(rightDraft(request, "")) });
  const given = hexBytes(signature);
  return own?.every((byte, index) => byte === given[index]) ?? false;
}

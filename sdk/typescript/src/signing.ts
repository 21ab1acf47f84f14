/** Signatures on WebCrypto, which Node, edge runtimes and browser workers have alike. */

const encoder = new TextEncoder();

/** Node 18 has WebCrypto, but not under its usual name. */
async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto?.subtle !== undefined) return globalThis.crypto;
  const name = "node:crypto";
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)).webcrypto;
}

export async function newNonce(): Promise<string> {
  return (await webCrypto()).randomUUID();
}

export async function sha256Hex(text: string): Promise<string> {
  return toHex(await (await webCrypto()).subtle.digest("SHA-256", encoder.encode(text)));
}

export type SignedParts = {
  /** Unix epoch seconds, in digits. */
  timestamp: string;
  method: string;
  path: string;
  /** Without its question mark; empty where there is none. */
  query: string;
  /** The exact bytes that are sent; a text is encoded as UTF-8. */
  body: string | Uint8Array;
};

/** The signed bytes: timestamp, method, path, query and body, joined by newlines. */
export function signingBytes({ timestamp, method, path, query, body }: SignedParts): Uint8Array<ArrayBuffer> {
  return joined(encoder.encode(`${timestamp}\n${method}\n${path}\n${query}\n`), asBytes(body));
}

/** The lower-case hex HMAC-SHA256 of a request, or of a callback's mirrored signature. */
export async function signRequest(secret: string, parts: SignedParts): Promise<string> {
  const key = await hmacKey(encoder.encode(secret), "sign");
  return toHex(await (await webCrypto()).subtle.sign("HMAC", key, signingBytes(parts)));
}

/** In constant time. */
export async function verifyHmac(
  secret: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  return await (await webCrypto()).subtle.verify("HMAC", await hmacKey(secret, "verify"), signature, signed);
}

/** `key`: the 32 public bytes. A signature of another length is invalid. */
export async function verifyEd25519(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = await webCrypto();
  const imported = await subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  return signature.length === 64 && (await subtle.verify({ name: "Ed25519" }, imported, signature, signed));
}

async function hmacKey(secret: Uint8Array<ArrayBuffer>, use: "sign" | "verify"): Promise<CryptoKey> {
  return await (await webCrypto()).subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [use]);
}

export function asBytes(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? encoder.encode(body) : new Uint8Array(body);
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Null: it is not hex. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16));
}

/** Null: it is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Null: it is not base64url, or not in its canonical form. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = /^[\w-]*$/.test(text) ? fromBase64(text.replaceAll("-", "+").replaceAll("_", "/")) : null;
  if (bytes === null) return null;
  const written = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return written.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === text ? bytes : null;
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

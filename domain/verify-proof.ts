/** Runs wherever there is WebCrypto: a verifier needs nothing of the service but its public keys. */

import { type Bytes, base64Bytes, base64Text } from "./bytes.ts";

/** The content of a proof: an agreed quote, or a payment on the chain. */
export const PROOF_TYPES = { quote: "settlement-quote+jws", receipt: "settlement-receipt+jws" } as const;
export type ProofType = keyof typeof PROOF_TYPES;

/** Only texts, whole numbers and null, which every program serialises equally. Amounts are texts. */
export type Claims = Readonly<Record<string, string | number | null>>;

/** An Ed25519 public key as RFC 8037 writes it. */
export type ProofJwk = { kty: "OKP"; crv: "Ed25519"; x: string; kid: string; alg: "EdDSA"; use: "sig"; purpose: "proofs" };

export type Verified = { valid: true; type: ProofType; kid: string; claims: Claims } | { valid: false; reason: string };

/** Whether one of these keys signed the proof; only then its content counts. */
export async function verifyProof(
  proof: string,
  jwks: { keys: readonly (Omit<ProofJwk, "purpose"> & { purpose?: string })[] },
): Promise<Verified> {
  const [head = "", body = "", signed = "", ...more] = proof.trim().split(".");
  const [header, claims, signature] = [readClaims(head), readClaims(body), decode(signed)];
  if (more.length > 0 || header === null || claims === null || signature === null)
    return { valid: false, reason: "This is no proof: three parts of base64url with points between." };
  const type = (["quote", "receipt"] as const).find((each) => PROOF_TYPES[each] === header.typ);
  if (header.alg !== "EdDSA" || type === undefined) return { valid: false, reason: "This is a signed text of another kind." };
  const named = typeof header.kid === "string" ? header.kid : "";
  const jwk = jwks.keys.find(({ kid, purpose }) => kid === named && purpose !== "callbacks");
  if (jwk === undefined) return { valid: false, reason: `No key of this issuer is called ${named}.` };
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey("jwk", { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, { name: "Ed25519" }, false, ["verify"]);
  const holds = await subtle.verify({ name: "Ed25519" }, key, signature, new TextEncoder().encode(`${head}.${body}`));
  if (!holds) return { valid: false, reason: "The signature is not of these words: something was changed, or another key signed." };
  return { valid: true, type, kid: jwk.kid, claims };
}

function readClaims(part: string): Claims | null {
  const bytes = decode(part);
  if (bytes === null) return null;
  try {
    const read: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Claims) : null;
  } catch {
    return null;
  }
}

/** Null: it is not base64url, or not in its canonical form. */
function decode(part: string): Bytes | null {
  const bytes = base64Bytes(part);
  const written = base64Text(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return written === part ? bytes : null;
}

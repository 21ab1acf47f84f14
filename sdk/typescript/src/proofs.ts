import { ProofRefused } from "./errors.ts";
import { asBytes, fromBase64Url, verifyEd25519 } from "./signing.ts";

/** The content of a proof: texts, whole numbers and null. Amounts are texts in base units, so that nothing rounds them. */
export type Claims = Readonly<Record<string, string | number | null>>;

/** A signed quote, or a signed receipt of a payment. */
export type Proof = {
  type: "quote" | "receipt";
  /** The key that signed. */
  kid: string;
  claims: Claims;
};

/** The keys as the service publishes them at `/.well-known/jwks.json`, or a stored copy. */
export type PublicKeys = { keys: readonly { kty: string; crv: string; x: string; kid: string; purpose?: string }[] };

const TYPES = { "settlement-quote+jws": "quote", "settlement-receipt+jws": "receipt" } as const;

/**
 * The content of a proof, if one of these keys signed it. Works offline. `issuer`: the expected issuer, which is the service's address.
 * @throws ProofRefused
 */
export async function verifyProof(proof: string, keys: PublicKeys, { issuer }: { issuer?: string } = {}): Promise<Proof> {
  const parts = proof.trim().split(".");
  const [head = "", body = "", signed = ""] = parts;
  const [header, claims, signature] = [readMembers(head), readMembers(body), fromBase64Url(signed)];
  if (parts.length !== 3 || header === null || claims === null || signature === null)
    throw new ProofRefused("it is no proof: three parts of base64url with points between");
  const type = Object.entries(TYPES).find(([typ]) => typ === header.typ)?.[1];
  if (header.alg !== "EdDSA" || type === undefined) throw new ProofRefused("it is a signed text of another kind");
  const named = typeof header.kid === "string" ? header.kid : "";
  const key = keys.keys.find(({ kid, purpose }) => kid === named && purpose !== "callbacks");
  const x = key?.kty === "OKP" && key.crv === "Ed25519" ? fromBase64Url(key.x) : null;
  if (key === undefined || x?.length !== 32) throw new ProofRefused(`no key of this issuer is called ${named}`);
  if (!(await verifyEd25519(x, signature, asBytes(`${head}.${body}`))))
    throw new ProofRefused("the signature is not of these words: something was changed, or another key signed");
  if (issuer !== undefined && claims.iss !== issuer) throw new ProofRefused(`it is of another issuer: ${String(claims.iss)}`);
  return { type, kid: key.kid, claims };
}

function readMembers(part: string): Claims | null {
  const bytes = fromBase64Url(part);
  if (bytes === null) return null;
  try {
    const read: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Claims) : null;
  } catch {
    return null;
  }
}

import { type KeyObject, sign } from "node:crypto";
import { publicHalfOf, signingKeyOf } from "./audit-key.ts";
import { canonicalJson } from "./canonical-json.ts";
import { type Claims, PROOF_TYPES, type ProofJwk, type ProofType } from "./verify-proof.ts";

export type ProofKeys = {
  /** Who vouches: the address of this service. */
  issuer: string;
  /** null: this installation signs nothing. */
  sign: ((type: ProofType, claims: Claims) => string) | null;
  /** Every key whose signatures are valid, the signing one first. */
  jwks: { keys: ProofJwk[] };
};

/** `keys`: 32 secret bytes each; the first signs, the others are still believed. */
export function openProofKeys(issuer: string, keys: readonly { id: string; key: Uint8Array }[]): ProofKeys {
  const [first] = keys;
  const signing = first === undefined ? null : { kid: first.id, secret: signingKeyOf(first.key) };
  return {
    issuer,
    sign: signing === null ? null : (type, claims) => signProof(signing, type, claims),
    jwks: { keys: keys.map(({ id, key }) => jwkOf(id, key)) },
  };
}

function jwkOf(kid: string, secret: Uint8Array): ProofJwk {
  return { kty: "OKP", crv: "Ed25519", x: publicHalfOf(secret).toString("base64url"), kid, alg: "EdDSA", use: "sig", purpose: "proofs" };
}

/** A JWS in its compact form (RFC 7515) over canonical JSON (RFC 8785). Ed25519 is deterministic: the same claims give the same proof. */
function signProof({ kid, secret }: { kid: string; secret: KeyObject }, type: ProofType, claims: Claims): string {
  const head = encode(canonicalJson({ alg: "EdDSA", kid, typ: PROOF_TYPES[type] }));
  const signed = `${head}.${encode(canonicalJson(claims))}`;
  return `${signed}.${sign(null, Buffer.from(signed), secret).toString("base64url")}`;
}

function encode(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}

import { hkdfSync, type KeyObject, sign } from "node:crypto";
import { publicHalfOf, signingKeyOf } from "./audit-key.ts";

/** An Ed25519 public key as RFC 8037 writes it, and as Standard Webhooks does. */
export type CallbackJwk = {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  kid: string;
  alg: "EdDSA";
  use: "sig";
  purpose: "callbacks";
  /** `whpk_` and base64 of the same 32 bytes. */
  whpk: string;
};

/**
 * What signs callbacks so that a receiver needs no secret to check them; never what signs proofs. Each partner has a key of its own: a
 * callback does not say whose it is, so one key for all would let one partner have another's receiver believe what was meant for itself.
 */
export type CallbackKeys = {
  /** null: this installation signs them with the two shared secrets alone. */
  sign: ((partnerId: string, id: string, timestampSeconds: number, body: Uint8Array) => string) | null;
  /** Every key that is published for a partner, the one that signs first. Of an id that is no partner's as well: nothing is looked up. */
  jwksOf(partnerId: string): CallbackJwk[];
};

export const NO_CALLBACK_KEYS: CallbackKeys = { sign: null, jwksOf: () => [] };

/** How many partners' keys stay at hand in a process. */
const REMEMBERED_PARTNERS = 1_000;

/** `keys`: 32 secret bytes each; the first signs. A key that is to sign next stands behind it until receivers have read it. */
export function openCallbackKeys(keys: readonly { id: string; key: Uint8Array }[]): CallbackKeys {
  const [first] = keys;
  if (first === undefined) return NO_CALLBACK_KEYS;
  // Of those who are signed for alone: anyone who asks for keys cannot crowd them out.
  const remembered = new Map<string, KeyObject>();
  const secretOf = (partnerId: string): KeyObject => {
    const secret = remembered.get(partnerId) ?? signingKeyOf(seedOf(first.key, partnerId));
    remembered.delete(partnerId);
    remembered.set(partnerId, secret);
    for (const oldest of remembered.keys()) {
      if (remembered.size <= REMEMBERED_PARTNERS) break;
      remembered.delete(oldest);
    }
    return secret;
  };
  return {
    // The scheme `v1a` of Standard Webhooks: over the same text as `v1`.
    sign: (partnerId, id, seconds, body) =>
      `v1a,${sign(null, Buffer.concat([Buffer.from(`${id}.${seconds}.`), body]), secretOf(partnerId)).toString("base64")}`,
    jwksOf: (partnerId) => keys.map(({ id, key }) => jwkOf(`${id}.${partnerId.toLowerCase()}`, publicHalfOf(seedOf(key, partnerId)))),
  };
}

/** The partner's own 32 secret bytes. Who has them knows neither the installation's key nor another partner's. */
function seedOf(key: Uint8Array, partnerId: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, "", `settlement callbacks ${partnerId.toLowerCase()}`, 32));
}

/** No name of a key in the settings has a point in it: no proof key is ever called so. */
function jwkOf(kid: string, key: Buffer): CallbackJwk {
  const written = { x: key.toString("base64url"), whpk: `whpk_${key.toString("base64")}` };
  return { kty: "OKP", crv: "Ed25519", kid, alg: "EdDSA", use: "sig", purpose: "callbacks", ...written };
}

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
 * The keys that sign callbacks so that receivers can verify them without a secret; they never sign proofs. Each partner has its own key: a
 * callback does not name its partner, so with one key for all, one partner could replay its own callbacks to another's receiver.
 */
export type CallbackKeys = {
  /** null: this installation only signs with the two shared secrets. */
  sign: ((partnerId: string, id: string, timestampSeconds: number, body: Uint8Array) => string) | null;
  /** Every published key of a partner, the signing one first. Also for an id of no partner: nothing is looked up. */
  jwksOf(partnerId: string): CallbackJwk[];
};

export const NO_CALLBACK_KEYS: CallbackKeys = { sign: null, jwksOf: () => [] };

/** How many partners' keys stay at hand in a process. */
const REMEMBERED_PARTNERS = 1_000;

/** `keys`: 32 secret bytes each; the first signs. List the next signing key after it until receivers have read it. */
export function openCallbackKeys(keys: readonly { id: string; key: Uint8Array }[]): CallbackKeys {
  const [first] = keys;
  if (first === undefined) return NO_CALLBACK_KEYS;
  // Cached only for partners that callbacks are signed for: requests for keys cannot evict them.
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

/** The partner's own 32 secret bytes. They reveal neither the installation's key nor another partner's. */
function seedOf(key: Uint8Array, partnerId: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, "", `settlement callbacks ${partnerId.toLowerCase()}`, 32));
}

/** No name of a key in the settings has a point in it: no proof key is ever called so. */
function jwkOf(kid: string, key: Buffer): CallbackJwk {
  const written = { x: key.toString("base64url"), whpk: `whpk_${key.toString("base64")}` };
  return { kty: "OKP", crv: "Ed25519", kid, alg: "EdDSA", use: "sig", purpose: "callbacks", ...written };
}

import { createHmac, createPublicKey, randomBytes, randomUUID, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { publicHalfOf } from "./audit-key.ts";
import { NO_CALLBACK_KEYS, openCallbackKeys } from "./callback-key.ts";
import { openProofKeys } from "./proof.ts";
import { verifyProof } from "./verify-proof.ts";

const vectors = JSON.parse(readFileSync("docs/proof-vectors.json", "utf8"));
const secretOf = (byte: number) => Buffer.alloc(32, byte);

const ONE = "0b8f1c9e-9d3e-4c1a-8f57-1a2b3c4d5e6f";
const OTHER = "7c6d5e4f-1a2b-4c3d-9e8f-0a1b2c3d4e5f";
const BODY = Buffer.from('{"tx_id":"tx_1","ü":"😀"}');

/** Whether the published key has signed it, from the Standard Webhooks specification alone. */
function holds(x: string, signature: string): boolean {
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.concat([Buffer.from("cb_1.1763800000."), BODY]);
  return verify(null, signed, key, Buffer.from(signature.slice("v1a,".length), "base64"));
}

describe("a callback that a public key checks", () => {
  const keys = openCallbackKeys([
    { id: "now", key: randomBytes(32) },
    { id: "next", key: randomBytes(32) },
  ]);
  const signature = keys.sign?.(ONE, "cb_1", 1_763_800_000, BODY) ?? "";

  it("is signed as Standard Webhooks' v1a says, by the first key, which is published with those that are to follow", () => {
    const [now, next] = keys.jwksOf(ONE);
    expect(signature).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
    expect([holds(now?.x ?? "", signature), holds(next?.x ?? "", signature)]).toEqual([true, false]);
    expect([now, next]).toMatchObject([
      { kid: `now.${ONE}`, purpose: "callbacks", use: "sig" },
      { kid: `next.${ONE}`, purpose: "callbacks", use: "sig" },
    ]);
    expect(Buffer.from(now?.whpk.slice("whpk_".length) ?? "", "base64").toString("base64url")).toBe(now?.x);
  });

  it("holds for the partner whose it is, and for no other", () => {
    const others = keys.jwksOf(OTHER);
    expect(others.map(({ x }) => holds(x, signature))).toEqual([false, false]);
    expect(holds(others[0]?.x ?? "", keys.sign?.(OTHER, "cb_1", 1_763_800_000, BODY) ?? "")).toBe(true);
    const all = [...keys.jwksOf(ONE), ...others];
    for (const member of ["kid", "x"] as const) expect(new Set(all.map((key) => key[member])).size).toBe(4);
  });

  it("has the same key however the partner's id is written, and after thousands of others", () => {
    expect(keys.jwksOf(ONE.toUpperCase())).toEqual(keys.jwksOf(ONE));
    expect(keys.sign?.(ONE.toUpperCase(), "cb_1", 1_763_800_000, BODY)).toBe(signature);
    for (let count = 0; count < 1_100; count += 1) keys.sign?.(randomUUID(), "cb_1", 1_763_800_000, BODY);
    expect(keys.sign?.(ONE, "cb_1", 1_763_800_000, BODY)).toBe(signature);
  });

  it("is of the key that HKDF (RFC 5869) makes of the installation's and the partner's id", () => {
    const hmac = (key: Uint8Array, ...text: Uint8Array[]) => createHmac("sha256", key).update(Buffer.concat(text)).digest();
    const extracted = hmac(Buffer.alloc(32), secretOf(5));
    const seed = hmac(extracted, Buffer.from(`settlement callbacks ${ONE}`), Buffer.from([1]));
    const [key] = openCallbackKeys([{ id: "k", key: secretOf(5) }]).jwksOf(ONE);
    expect(key?.x).toBe(publicHalfOf(seed).toString("base64url"));
  });
});

it("nothing is signed and published without a key", () => {
  expect(openCallbackKeys([])).toEqual(NO_CALLBACK_KEYS);
});

it("the published vectors are what these keys sign, and the page's verifier says of each what it should", async () => {
  const proofs = openProofKeys(vectors.issuer, [
    { id: "2026-11", key: secretOf(1) },
    { id: "2025-11", key: secretOf(2) },
  ]);
  const callbacks = openCallbackKeys([{ id: "callbacks-2026-11", key: secretOf(5) }]);
  expect(vectors.jwks).toEqual({ keys: [...proofs.jwks.keys, ...callbacks.jwksOf(vectors.partner_id)] });
  expect(vectors.proofs[1].proof).toBe(proofs.sign?.("receipt", vectors.proofs[1].claims));
  const [sent] = vectors.callbacks;
  expect(sent["webhook-signature"]).toBe(
    callbacks.sign?.(vectors.partner_id, sent["webhook-id"], Number(sent["webhook-timestamp"]), Buffer.from(sent.body)),
  );
  for (const { name, proof, valid } of vectors.proofs)
    expect([name, (await verifyProof(proof, vectors.jwks)).valid]).toEqual([name, valid]);
});

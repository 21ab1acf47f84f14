import { z } from "zod";
import { defineOperation } from "./operation.ts";

const jwk = z.object({
  kty: z.literal("OKP").describe("Kind of key: one of an elliptic curve as RFC 8037 writes it"),
  crv: z.literal("Ed25519").describe("The curve"),
  x: z.string().describe("The public key, base64url"),
  kid: z.string().describe("The key's name; a proof names in its header the one that signed it"),
  alg: z.literal("EdDSA").describe("The algorithm it signs with"),
  use: z.literal("sig").describe("It signs, and nothing else"),
  purpose: z.enum(["proofs", "callbacks"]).describe("What it signs: quotes and receipts, or one partner's callbacks (`v1a`)"),
  whpk: z.string().optional().describe("Of a key for callbacks: the same key as Standard Webhooks writes it"),
});

/** What proofs and callbacks are checked with (RFC 7517, 8037): for everybody, unsigned. */
export const jwksOperation = defineOperation({
  id: "get_jwks",
  summary: "The public keys with which quotes, receipts and callbacks are signed",
  method: "GET",
  path: "/.well-known/jwks.json",
  scope: null,
  caller: "anybody",
  kind: "read",
  query: z.strictObject({
    partner: z.uuid().optional().describe("The partner's id: the keys of its callbacks as well. Left out: those of proofs alone"),
  }),
  result: z.object({ keys: z.array(jwk).describe("The keys that sign, and older ones that are kept for checking") }),
});

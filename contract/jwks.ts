import { z } from "zod";
import { defineOperation } from "./operation.ts";

const jwk = z.object({
  kty: z.literal("OKP").describe("The key type: OKP, an elliptic curve key as in RFC 8037"),
  crv: z.literal("Ed25519").describe("The curve: Ed25519"),
  x: z.string().describe("The public key, in base64url"),
  kid: z.string().describe("The key's id. The header of a proof has the id of the key that signed it"),
  alg: z.literal("EdDSA").describe("The signature algorithm: EdDSA"),
  use: z.literal("sig").describe("The use of the key: sig, only for signatures"),
  purpose: z
    .enum(["proofs", "callbacks"])
    .describe("What the key signs. proofs: quotes and receipts. callbacks: one partner's callbacks (`v1a`)"),
  whpk: z.string().optional().describe("The same key in the format of Standard Webhooks. Present only if purpose is callbacks"),
});

/** What proofs and callbacks are checked with (RFC 7517, 8037): for everybody, unsigned. */
export const jwksOperation = defineOperation({
  id: "get_jwks",
  summary: "Get the public keys that verify quotes, receipts and callbacks",
  method: "GET",
  path: "/.well-known/jwks.json",
  scope: null,
  caller: "anybody",
  kind: "read",
  query: z.strictObject({
    partner: z
      .uuid()
      .optional()
      .describe(
        "A partner's id. The answer then also has the keys of that partner's callbacks. Without it, the answer has only the keys of proofs",
      ),
  }),
  result: z.object({ keys: z.array(jwk).describe("The keys in use, and older keys that are kept so that you can verify old signatures") }),
});

import { z } from "zod";
import { defineOperation } from "./operation.ts";

const jwk = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  kid: z.string(),
  alg: z.literal("EdDSA"),
  use: z.literal("sig"),
});

/** What proofs are checked with (RFC 7517, 8037): for everybody, unsigned. */
export const jwksOperation = defineOperation({
  id: "get_jwks",
  summary: "The public keys with which quotes and receipts are signed",
  method: "GET",
  path: "/.well-known/jwks.json",
  scope: null,
  caller: "anybody",
  kind: "read",
  result: z.object({ keys: z.array(jwk) }),
});

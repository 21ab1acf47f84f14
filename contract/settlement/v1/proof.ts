import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { settlementId } from "#contract/shared-fields.ts";

const jws = z
  .string()
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  .describe("A JWS in compact form: EdDSA over canonical JSON");

export const settlementProofSchema = z.object({
  tx_id: settlementId,
  quote: jws.describe("The price in force, signed: what was promised, and until when"),
  receipt: jws.nullable().describe("Once it is executed: what was paid, in which transaction, block and log"),
  jwks_url: z.url().describe("Where the public keys are"),
});

export const proveSettlementOperation = defineOperation({
  id: "prove_settlement",
  summary: "The quote, and once executed the receipt, signed so that anybody can check them",
  method: "GET",
  path: "/api/v1/settlements/{tx_id}/proof",
  caller: "signed",
  scope: "settlements:read",
  kind: "read",
  params: z.strictObject({ tx_id: settlementId }),
  result: settlementProofSchema,
  refusals: ["settlement_not_found", "route_not_found", "temporarily_unavailable"],
});

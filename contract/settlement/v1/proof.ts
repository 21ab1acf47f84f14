import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { timestamp } from "#contract/primitives.ts";
import { settlementId } from "#contract/shared-fields.ts";
import { PROOF_STATUSES } from "#domain/proof-status.ts";
import { PROOF_TYPES, type ProofType } from "#domain/verify-proof.ts";

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

const proofTypes = Object.keys(PROOF_TYPES) as [ProofType, ...ProofType[]];

/** For anyone who was shown a proof and has no account here. The proof is in the body, so that no access log keeps it. */
export const proofStatusOperation = defineOperation({
  id: "get_proof_status",
  summary: "Whether a proof is still valid, for anyone who has it",
  method: "POST",
  path: "/proofs/status",
  scope: null,
  caller: "anybody",
  kind: "read",
  body: z.strictObject({
    proof: z.string().min(1).max(8_192).describe("The quote or receipt as it was shown: a JWS in compact form"),
  }),
  result: z.object({
    type: z.enum(proofTypes).describe("What the proof is"),
    tx_id: settlementId.describe("The settlement's id, as the proof says it (`sub`)"),
    status: z
      .enum(PROOF_STATUSES)
      .describe(
        "Of a quote: `in_force`, `fulfilled` (paid), `awaiting_approval` (nothing is promised yet), `superseded` (another price was agreed), `expired`, `rejected`, `cancelled` or `failed`. Of a receipt: `paid`, or `reversed` while the chain shows something else than was signed",
      ),
    holds: z.boolean().describe("Whether it may be relied on: true for `in_force`, `fulfilled` and `paid`"),
    checked_at: timestamp.describe("As of when"),
  }),
  refusals: ["validation_failed", "route_not_found", "settlement_not_found", "rate_limited", "temporarily_unavailable"],
});

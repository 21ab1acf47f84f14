import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { timestamp } from "#contract/primitives.ts";
import { settlementId } from "#contract/shared-fields.ts";
import { PROOF_STATUSES } from "#domain/proof-status.ts";
import { PROOF_TYPES, type ProofType } from "#domain/verify-proof.ts";

const jws = z
  .string()
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  .describe("A JWS in compact form, signed with EdDSA over canonical JSON");

export const settlementProofSchema = z.object({
  tx_id: settlementId,
  quote: jws.describe("The signed quote: the price that was promised, and until when. A JWS in compact form"),
  receipt: jws
    .nullable()
    .describe(
      "The signed receipt: what was paid, in which transaction, block and log. A JWS in compact form. Null until the settlement is executed",
    ),
  jwks_url: z.url().describe("The URL of the public keys that verify the proofs"),
});

export const proveSettlementOperation = defineOperation({
  id: "prove_settlement",
  summary: "Get the signed quote and, once executed, the signed receipt. Anyone can verify them",
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
  summary: "Check whether a proof is still valid. Anyone who has the proof may ask",
  method: "POST",
  path: "/proofs/status",
  scope: null,
  caller: "anybody",
  kind: "read",
  body: z.strictObject({
    proof: z.string().min(1).max(8_192).describe("The quote or receipt that you were shown: a JWS in compact form"),
  }),
  result: z.object({
    type: z.enum(proofTypes).describe("The kind of proof"),
    tx_id: settlementId.describe("The settlement's id, from the proof's claim `sub`"),
    status: z
      .enum(PROOF_STATUSES)
      .describe(
        "The state of the proof now. Of a quote: `in_force`, `fulfilled` (paid), `awaiting_approval` (nothing is promised yet), `superseded` (another price was agreed), `expired`, `rejected`, `cancelled` or `failed`. Of a receipt: `paid`, or `reversed` while the chain shows something other than what was signed",
      ),
    holds: z.boolean().describe("Whether you may rely on the proof. True for `in_force`, `fulfilled` and `paid`"),
    checked_at: timestamp.describe("When the status was checked"),
  }),
  refusals: ["validation_failed", "route_not_found", "settlement_not_found", "rate_limited", "temporarily_unavailable"],
});

import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { isId } from "#domain/ids.ts";
import { type ProofStatus, statusOfQuote } from "#domain/proof-status.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { type Claims, type ProofType, verifyProof } from "#domain/verify-proof.ts";
import type { Uses } from "#server/context.ts";
import { agreed, notConfirmed } from "./prove-settlement.ts";
import { readPaymentEvidence } from "./read-payment-receipt.ts";

/** A proof's present status. It reveals nothing that is not in the proof, except the outcome. */
export type CheckedProof = { type: ProofType; settlementId: string; status: ProofStatus; checkedAt: Date };

/**
 * Whether a proof that this service signed is still valid, for anyone who has it.
 *
 * @throws Refusal `route_not_found` where nothing is signed; `validation_failed` for a text that none of the published keys signed;
 * `settlement_not_found` when the settlement of a receipt is gone; `temporarily_unavailable` while the chain does not confirm a receipt.
 */
export async function readProofStatus(ctx: Uses<"db" | "evm" | "lapsing" | "proofs">, proof: string): Promise<CheckedProof> {
  if (ctx.proofs.sign === null) throw new Refusal("route_not_found", { detail: "This installation does not sign quotes and receipts." });
  const verified = await verifyProof(proof, ctx.proofs.jwks);
  if (!verified.valid) throw unknown(verified.reason);
  const { type, claims } = verified;
  if (claims.iss !== ctx.proofs.issuer) throw unknown("It was signed for another address of this service.");
  const settlementId = String(claims.sub);
  const settlement = isId("settlement", settlementId) ? await findSettlement(ctx.db, settlementId) : null;
  const checkedAt = await readBusinessNow(ctx.db);
  const status = type === "quote" ? quoteStatus(ctx, settlement, claims, checkedAt) : await receiptStatus(ctx, settlement, claims);
  return { type, settlementId, status, checkedAt };
}

function unknown(message: string): Refusal {
  return new Refusal("validation_failed", { detail: message, errors: [{ pointer: "/proof", code: "invalid", message }] });
}

/** A quote that nobody confirmed is forgotten some time after it has run out. */
function quoteStatus({ proofs }: Uses<"proofs">, settlement: Settlement | null, claims: Claims, now: Date): ProofStatus {
  if (settlement === null) return "expired";
  const isTheOne = claims.quote_version === settlement.quote.version && saysTheSame(claims, agreed(proofs.issuer, settlement));
  return isTheOne ? statusOfQuote(settlement, now) : "superseded";
}

async function receiptStatus(
  ctx: Uses<"db" | "evm" | "lapsing" | "proofs">,
  settlement: Settlement | null,
  claims: Claims,
): Promise<ProofStatus> {
  if (settlement === null) throw new Refusal("settlement_not_found");
  const evidence = await readPaymentEvidence(ctx, { id: settlement.id });
  if (evidence.outcome === "unproven") throw notConfirmed();
  if (evidence.outcome === "contradicted") return "reversed";
  const { hash, blockHash, logIndex } = evidence.receipt;
  const isTheOne = saysTheSame(claims, {
    ...agreed(ctx.proofs.issuer, settlement),
    tx_hash: hash,
    block_hash: blockHash,
    log_index: logIndex,
  });
  return isTheOne ? "paid" : "reversed";
}

function saysTheSame(claims: Claims, now: Claims): boolean {
  return Object.entries(now).every(([name, value]) => claims[name] === value);
}

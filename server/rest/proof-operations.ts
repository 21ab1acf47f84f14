import { jwksOperation } from "#contract/jwks.ts";
import { instant } from "#contract/primitives.ts";
import { proofStatusOperation, proveSettlementOperation } from "#contract/settlement/v1/proof.ts";
import { holds } from "#domain/proof-status.ts";
import { proveSettlement } from "#server/services/settlements/prove-settlement.ts";
import { readProofStatus } from "#server/services/settlements/read-proof-status.ts";
import { bind } from "./bind.ts";

/** What a third party checks a settlement by, and the keys it checks with. */

export const PROOF = bind(proveSettlementOperation, async (ctx, { params, partnerId }) => {
  const proof = await proveSettlement(ctx, { id: params.tx_id, partnerId });
  return { body: { tx_id: params.tx_id, ...proof, jwks_url: `${ctx.proofs.issuer}${jwksOperation.path}` } };
});

/** Callers are anonymous: a valid proof entitles them to ask. */
export const PROOF_STATUS = bind(proofStatusOperation, async (ctx, { body }) => {
  const { type, settlementId, status, checkedAt } = await readProofStatus(ctx, body.proof);
  return { body: { type, tx_id: settlementId, status, holds: holds(status), checked_at: instant(checkedAt) } };
});

/** Nothing is looked up: the answer does not reveal which partners there are. */
export const JWKS = bind(jwksOperation, async (ctx, { query: { partner } }) => ({
  body: { keys: [...ctx.proofs.jwks.keys, ...(partner === undefined ? [] : ctx.callbackKeys.jwksOf(partner))] },
  headers: { "Cache-Control": "public, max-age=300" },
}));

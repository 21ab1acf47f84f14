import { jwksOperation } from "#contract/jwks.ts";
import { proveSettlementOperation } from "#contract/settlement/v1/proof.ts";
import { proveSettlement } from "#server/services/settlements/prove-settlement.ts";
import { bind } from "./bind.ts";

/** What a third party checks a settlement by, and the keys it checks with. */

export const PROOF = bind(proveSettlementOperation, async (ctx, { params, partnerId }) => {
  const proof = await proveSettlement(ctx, { id: params.tx_id, partnerId });
  return { body: { tx_id: params.tx_id, ...proof, jwks_url: `${ctx.proofs.issuer}${jwksOperation.path}` } };
});

/** Nothing is looked up: the answer does not tell which partners there are. */
export const JWKS = bind(jwksOperation, async (ctx, { query: { partner } }) => ({
  body: { keys: [...ctx.proofs.jwks.keys, ...(partner === undefined ? [] : ctx.callbackKeys.jwksOf(partner))] },
  headers: { "Cache-Control": "public, max-age=300" },
}));

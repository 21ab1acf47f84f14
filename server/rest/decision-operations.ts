import { approveSettlementOperation, rejectSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import { renderSettlement, type SettlementWire } from "#contract/settlement/v1/settlement.ts";
import type { Settlement } from "#domain/settlement.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import { type Binding, bind } from "./bind.ts";

/** An operator's decisions on settlements that await one (contract, part 6). */

export const DECISIONS: readonly Binding[] = [
  bind(approveSettlementOperation, async (ctx, { by, params, body }) => {
    const decision = { by, id: params.tx_id, note: body.note ?? null, expectedExchangeRate: body.expected_exchange_rate ?? null };
    return show(await approveSettlement(ctx, decision));
  }),
  bind(rejectSettlementOperation, async (ctx, { by, params, body }) => {
    return show(await rejectSettlement(ctx, { by, id: params.tx_id, reason: body.reason }));
  }),
];

/** Just decided, it has no callback yet that could be undelivered. */
function show(settlement: Settlement): { body: SettlementWire } {
  return { body: renderSettlement(settlement, []) };
}

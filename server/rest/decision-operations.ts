import {
  approveSettlementOperation,
  refuseSettlementOperation,
  rejectSettlementOperation,
  releaseSettlementOperation,
} from "#contract/settlement/v1/decisions.ts";
import { renderSettlement, type SettlementWire } from "#contract/settlement/v1/settlement.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { joinTrace } from "#server/observe/trace.ts";
import { refusePayment, releasePayment } from "#server/services/holds/decide-hold.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { listWaits } from "#server/services/settlements/list-waits.ts";
import { readSettlement } from "#server/services/settlements/read-settlement.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import { type Binding, bind } from "./bind.ts";

/** An operator's decisions on settlements that wait for approval (contract, part 6), or that are held (part 10). */

export const DECISIONS: readonly Binding[] = [
  bind(approveSettlementOperation, async (ctx, { by, params, body }) => {
    const decision = { by, id: params.tx_id, note: body.note ?? null, expectedExchangeRate: body.expected_exchange_rate ?? null };
    return show(await approveSettlement(ctx, decision), "settlement.approve");
  }),
  bind(rejectSettlementOperation, async (ctx, { by, params, body }) => {
    return show(await rejectSettlement(ctx, { by, id: params.tx_id, reason: body.reason }), "settlement.reject");
  }),
  bind(releaseSettlementOperation, async (ctx, { by, params, body }) => {
    await releasePayment(ctx, { ...heldOf(params.tx_id), by, reason: body.reason });
    return await showStanding(ctx, params.tx_id, "settlement.release");
  }),
  bind(refuseSettlementOperation, async (ctx, { by, params, body }) => {
    await refusePayment(ctx, { ...heldOf(params.tx_id), by, reason: body.reason, onFinal: completeOwner });
    return await showStanding(ctx, params.tx_id, "settlement.refuse");
  }),
];

/** Just decided, it cannot have an undelivered callback yet. */
function show(settlement: Settlement, permission: string): { body: SettlementWire } {
  joinTrace(settlement.trace, permission);
  return { body: renderSettlement(settlement, []) };
}

/** @throws Refusal `settlement_not_found` for what cannot be one. */
function heldOf(id: string) {
  if (!isId("settlement", id)) throw new Refusal("settlement_not_found");
  return { purpose: "settlement" as const, ownerId: id };
}

async function showStanding(ctx: Uses<"db">, id: string, permission: string): Promise<{ body: SettlementWire }> {
  const settlement = await readSettlement(ctx, { id });
  joinTrace(settlement.trace, permission);
  const waiting = (await listWaits(ctx, [settlement])).get(id);
  return { body: renderSettlement(settlement, [], waiting) };
}

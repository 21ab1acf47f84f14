import { type By, refuseUnlessOperator } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { allows } from "#domain/lifecycle.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { changeSettlement, holdSettlement } from "./change-settlement.ts";
import { refuseUnprovenNo } from "./give-approval.ts";

export type RejectSettlement = { by: By; id: string; reason: string };

/**
 * An admin's no (specification, part 3): the settlement is cancelled with the reason; no callback is sent.
 *
 * @throws Refusal `forbidden` unless the role may decide, `settlement_not_found`, `invalid_state` when it is not (or no longer) pending,
 * `step_up_required` above the second threshold.
 */
export async function rejectSettlement(ctx: Uses<"db" | "clock">, command: RejectSettlement): Promise<Settlement> {
  refuseUnlessOperator(command.by.actor, "decide_settlement");
  if (!isId("settlement", command.id)) throw new Refusal("settlement_not_found");
  return await ctx.db.transaction(async (tx) => {
    const held = await holdSettlement(tx, command.id);
    if (allows(held.settlement, "reject")) await refuseUnprovenNo({ ...ctx, db: tx }, held, command.by);
    return await changeSettlement(tx, held, { type: "reject", reason: command.reason }, command.by, { reason: command.reason });
  });
}

import { type By, refuseUnlessOperator } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { changeSettlement, lockExistingSettlement } from "./change-settlement.ts";
import { refuseMember } from "./refuse-member.ts";

export type RejectSettlement = { by: By; id: string; reason: string };

/**
 * Rejects a settlement (specification, part 3): it is cancelled with the reason, and no callback is sent.
 *
 * @throws Refusal `forbidden` unless the role may decide, `settlement_not_found`, `batch_member`, `invalid_state` when it is not (or no longer) pending,
 * `step_up_required`.
 */
export async function rejectSettlement(ctx: Uses<"db" | "clock">, command: RejectSettlement): Promise<Settlement> {
  refuseUnlessOperator(command.by.actor, "decide_settlement");
  refuseUnlessProven(command.by, ctx.clock.now());
  if (!isId("settlement", command.id)) throw new Refusal("settlement_not_found");
  return await ctx.db.transaction(async (tx) => {
    const locked = await lockExistingSettlement(tx, command.id);
    refuseMember(locked.settlement);
    return await changeSettlement(tx, locked, { type: "reject", reason: command.reason }, command.by, { reason: command.reason });
  });
}

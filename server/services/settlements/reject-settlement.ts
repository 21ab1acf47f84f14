import type { Uses } from "#server/context.ts";
import { type By, refuseUnlessOperator } from "#server/domain/access.ts";
import { isId } from "#server/domain/ids.ts";
import { Refusal } from "#server/domain/refusal.ts";
import type { Settlement } from "#server/domain/settlement.ts";
import { changeSettlement, holdSettlement } from "./change-settlement.ts";

export type RejectSettlement = { by: By; id: string; reason: string };

/**
 * An admin's no (specification, part 3): the settlement is cancelled with the reason; no callback is sent.
 *
 * @throws Refusal `forbidden` unless the role may decide, `settlement_not_found`, `invalid_state` when it is not (or no longer) pending.
 */
export async function rejectSettlement(ctx: Uses<"db">, command: RejectSettlement): Promise<Settlement> {
  refuseUnlessOperator(command.by.actor, "decide_settlement");
  if (!isId("settlement", command.id)) throw new Refusal("settlement_not_found");
  return await ctx.db.transaction(async (tx) => {
    const held = await holdSettlement(tx, command.id);
    return await changeSettlement(tx, held, { type: "reject", reason: command.reason }, command.by, { reason: command.reason });
  });
}

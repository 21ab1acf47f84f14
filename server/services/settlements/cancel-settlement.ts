import { inTransaction } from "#db/transaction.ts";
import type { By } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SettlementAsShown } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { changeSettlement, lockExistingSettlement } from "./change-settlement.ts";
import { refuseMember } from "./refuse-member.ts";

export type CancelSettlement = { partnerId: string; by: By; id: string };

/**
 * Cancels a quoted settlement in any approval state (specification, part 3). If it is cancelled or rejected already, nothing changes and it
 * is returned as it is.
 *
 * @throws Refusal `settlement_not_found`, `batch_member`, `invalid_state` once it was confirmed.
 */
export async function cancelSettlement(ctx: Uses<"db">, { id, partnerId, by }: CancelSettlement): Promise<SettlementAsShown> {
  if (!isId("settlement", id)) throw new Refusal("settlement_not_found");
  return await inTransaction(ctx.db, async (tx) => {
    const locked = await lockExistingSettlement(tx, id, { partnerId });
    refuseMember(locked.settlement);
    const isOver = locked.settlement.status === "cancelled";
    const settlement = isOver ? locked.settlement : await changeSettlement(tx, locked, { type: "cancel" }, by);
    return { settlement, waiting: null, hasUndelivered: locked.hasUndelivered };
  });
}

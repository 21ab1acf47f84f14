import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lookAtOnce } from "#db/queries/transfers/transactions.ts";
import { clearCancelWish } from "#db/queries/transfers/wishes.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { auditOrder, type TreasuryOrder } from "./audit-order.ts";
import { lockExistingTransfer, refuseUnlessOnItsWay } from "./hold-transfer.ts";

/**
 * Withdraws the cancellation of a transfer in flight: the worker sends the same payment again under the same nonce, at a higher fee than
 * the cancellation. If the chain still mines the cancellation, the payment fails.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`; `invalid_state` once it is in a block, final or under review, or where no
 * cancellation is asked for
 */
export async function withdrawCancellation(ctx: Uses<"db" | "clock">, command: TreasuryOrder & { transferId: string }): Promise<Transfer> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    const transfer = await lockExistingTransfer(tx, command.transferId);
    refuseUnlessOnItsWay(transfer);
    if (transfer.cancelRequestedAt === null) throw new Refusal("invalid_state", { detail: "No cancellation was requested for it." });
    const now = await readBusinessNow(tx);
    await clearCancelWish(tx, transfer.id, now);
    await lookAtOnce(tx, [transfer.id]);
    const change = { owner_id: transfer.ownerId };
    await auditOrder(tx, command, { action: "transfer.cancel_withdrawn", objectId: transfer.id, change, now });
    return { ...transfer, cancelRequestedAt: null };
  });
}

import { endHolds } from "#db/queries/holds/payment-holds.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lookAtOnce } from "#db/queries/transfers/transactions.ts";
import { saveTransfer } from "#db/queries/transfers/transfers.ts";
import { saveWish } from "#db/queries/transfers/wishes.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { auditOrder, type Order } from "./audit-order.ts";
import { lockExistingTransfer, refuseUnlessOnItsWay } from "./hold-transfer.ts";

/**
 * Cancels a transfer by an operator's decision. A queued one, for which nothing was signed, fails at once, and its owner with it. For one
 * in flight the worker sends an empty transaction to our own wallet under the same nonce; the chain decides which of the two is mined.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`; `invalid_state` once it is in a block, final or under review
 */
export async function cancelTransfer(
  ctx: Uses<"db" | "clock">,
  command: Order & { transferId: string; onFinal: OnFinal },
): Promise<Transfer> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    const transfer = await lockExistingTransfer(tx, command.transferId);
    const now = await readBusinessNow(tx);
    const note = { objectId: transfer.id, change: { owner_id: transfer.ownerId }, now };
    if (transfer.state === "queued") {
      const failed = advanceTransfer(transfer, { type: "withdraw", reason: "An operator cancelled the payment before it was made." }, now);
      await saveTransfer(tx, failed, now);
      await endHolds(tx, failed, now);
      await auditOrder(tx, command, { ...note, action: "transfer.cancelled" });
      await command.onFinal(tx, [failed]);
      return failed;
    }
    refuseUnlessOnItsWay(transfer);
    if (transfer.cancelRequestedAt !== null) return transfer;
    await saveWish(tx, transfer.id, "cancel", now);
    await lookAtOnce(tx, [transfer.id]);
    await auditOrder(tx, command, { ...note, action: "transfer.cancel_requested" });
    return { ...transfer, cancelRequestedAt: now };
  });
}

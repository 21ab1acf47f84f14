import { readBusinessNow } from "#db/queries/clock.ts";
import { saveTransfer, saveWish } from "#db/queries/transfers.ts";
import type { Uses } from "#server/context.ts";
import { advanceTransfer, type Transfer } from "#server/domain/transfer.ts";
import type { OnFinal } from "./engine.ts";
import { holdTransfer, refuseUnlessOnItsWay } from "./hold-transfer.ts";

/**
 * Cancels a transfer on an operator's word. Of a queued one nothing was signed: it fails at once, and its owner with it. For one that
 * is on its way the worker sends an empty transaction to ourselves under the same nonce; which of the two is mined, the chain decides.
 * The caller writes the audit entry, in the same transaction if `ctx.db` is one.
 *
 * @throws Refusal `not_found`; `invalid_state` once it is in a block, final or under review
 */
export async function cancelTransfer(ctx: Uses<"db">, command: { transferId: string; onFinal: OnFinal }): Promise<Transfer> {
  return await ctx.db.transaction(async (tx) => {
    const transfer = await holdTransfer(tx, command.transferId);
    const now = await readBusinessNow(tx);
    if (transfer.state === "queued") {
      const failed = advanceTransfer(transfer, { type: "withdraw", reason: "An operator cancelled the payment before it was made." }, now);
      await saveTransfer(tx, failed, now);
      await command.onFinal(tx, failed);
      return failed;
    }
    refuseUnlessOnItsWay(transfer);
    if (transfer.cancelRequestedAt !== null) return transfer;
    await saveWish(tx, transfer.id, "cancel", now);
    return { ...transfer, cancelRequestedAt: now };
  });
}

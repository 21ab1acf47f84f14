import { readBusinessNow } from "#db/queries/clock.ts";
import { saveWish } from "#db/queries/transfers.ts";
import type { Uses } from "#server/context.ts";
import type { Transfer } from "#server/domain/transfer.ts";
import { holdTransfer, refuseUnlessOnItsWay } from "./hold-transfer.ts";

/**
 * Has the worker offer a transfer that is on its way at a higher fee now: same nonce, recipient and amount.
 *
 * @throws Refusal `not_found`, `invalid_state`
 */
export async function bumpTransfer(ctx: Uses<"db">, command: { transferId: string }): Promise<Transfer> {
  return await ctx.db.transaction(async (tx) => {
    const transfer = await holdTransfer(tx, command.transferId);
    refuseUnlessOnItsWay(transfer);
    const now = await readBusinessNow(tx);
    await saveWish(tx, transfer.id, "bump", now);
    return { ...transfer, bumpRequestedAt: now };
  });
}

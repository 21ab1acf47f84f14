import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { saveWish } from "#db/queries/transfers/wishes.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { auditOrder, type TreasuryOrder } from "./audit-order.ts";
import { lockExistingTransfer, refuseUnlessOnItsWay } from "./hold-transfer.ts";

/**
 * Has the worker offer a transfer that is on its way at a higher fee now: same nonce, recipient and amount.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state`
 */
export async function bumpTransfer(ctx: Uses<"db" | "clock">, command: TreasuryOrder & { transferId: string }): Promise<Transfer> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    const transfer = await lockExistingTransfer(tx, command.transferId);
    refuseUnlessOnItsWay(transfer);
    const now = await readBusinessNow(tx);
    await saveWish(tx, transfer.id, "bump", now);
    await auditOrder(tx, command, {
      action: "transfer.bump_requested",
      objectId: transfer.id,
      change: { owner_id: transfer.ownerId },
      now,
    });
    return { ...transfer, bumpRequestedAt: now };
  });
}

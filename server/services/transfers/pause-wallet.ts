import { readBusinessNow } from "#db/queries/clock.ts";
import { wakeTransfers } from "#db/queries/transfers.ts";
import { setWalletPaused, type Wallet } from "#db/queries/wallets.ts";
import type { Uses } from "#server/context.ts";
import { refuseUnlessOperator } from "#server/domain/access.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { isUuid } from "#server/domain/uuid.ts";
import { auditOrder, type Order } from "./audit-order.ts";

/**
 * Stops or resumes a treasury wallet: a paused one signs no new payment, not even one that was being signed at that moment. What it
 * has signed before is still looked after.
 *
 * @throws Refusal `forbidden`, `not_found`
 */
export async function pauseWallet(ctx: Uses<"db">, command: Order & { walletId: string; paused: boolean }): Promise<Wallet> {
  refuseUnlessOperator(command.by.actor, "administer");
  return await ctx.db.transaction(async (tx) => {
    const { walletId, paused } = command;
    const wallet = isUuid(walletId) ? await setWalletPaused(tx, walletId, paused) : null;
    if (wallet === null) throw new Refusal("not_found", { detail: "There is no such wallet." });
    await auditOrder(tx, command, {
      action: paused ? "wallet.paused" : "wallet.resumed",
      objectId: wallet.id,
      change: { paused, chain: wallet.chain, address: wallet.address },
      now: await readBusinessNow(tx),
    });
    await wakeTransfers(tx);
    return wallet;
  });
}

import { wakeTransfers } from "#db/queries/transfers.ts";
import { setWalletPaused, type Wallet } from "#db/queries/wallets.ts";
import type { Uses } from "#server/context.ts";
import { Refusal } from "#server/domain/refusal.ts";

/**
 * Stops or resumes a treasury wallet: a paused one signs no new payment, not even one that was being signed at that moment. What it
 * has signed before is still looked after. The caller writes the audit entry.
 *
 * @throws Refusal `not_found`
 */
export async function pauseWallet(ctx: Uses<"db">, command: { walletId: string; paused: boolean }): Promise<Wallet> {
  return await ctx.db.transaction(async (tx) => {
    const wallet = await setWalletPaused(tx, command.walletId, command.paused);
    if (wallet === null) throw new Refusal("not_found", { detail: "There is no such wallet." });
    await wakeTransfers(tx);
    return wallet;
  });
}

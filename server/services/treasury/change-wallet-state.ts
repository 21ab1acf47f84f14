import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { wakeTransfers } from "#db/queries/transfers/transfers.ts";
import { findWallet, lockWallet, setWalletState, type Wallet } from "#db/queries/transfers/wallets.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import { mayBecome, type WalletState } from "#domain/wallet.ts";
import type { Uses } from "#server/context.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { auditOrder, type Order } from "./audit-order.ts";
import { refuseWhileItOwnsSafes } from "./replace-safe-owner.ts";

/**
 * Changes the state of a treasury wallet. A compromised one is halted in the same transaction, and never comes back. One that owns a Safe
 * cannot be retired.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state`
 */
export async function changeWalletState(
  ctx: Uses<"db" | "clock" | "evm">,
  command: Order & { walletId: string; state: WalletState },
): Promise<Wallet> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  const { walletId, state, by, reason } = command;
  const retiring = state === "retired" && isUuid(walletId) ? await findWallet(ctx.db, walletId) : null;
  if (retiring !== null && mayBecome(retiring.state, state)) await refuseWhileItOwnsSafes(ctx, retiring);
  return await ctx.db.transaction(async (tx) => {
    const before = isUuid(walletId) ? await lockWallet(tx, walletId) : null;
    if (before === null) throw new Refusal("not_found", { detail: "There is no such wallet." });
    if (!mayBecome(before.state, state)) throw new Refusal("invalid_state", { detail: `A ${before.state} wallet cannot become ${state}.` });
    const wallet = await setWalletState(tx, walletId, state);
    if (wallet === null) throw new Error("a locked wallet is gone");
    const change = { state: [before.state, state], chain: wallet.chain, address: wallet.address };
    await auditOrder(tx, command, { action: "wallet.state_changed", objectId: wallet.id, change, now: await readBusinessNow(tx) });
    if (state === "compromised")
      await haltScope(tx, { scope: { kind: "wallet", key: wallet.id }, cause: "key_compromised", detail: reason, by });
    await wakeTransfers(tx);
    return wallet;
  });
}

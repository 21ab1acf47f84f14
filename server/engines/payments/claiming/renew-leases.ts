import { renewWallets } from "#db/queries/transfers/wallets.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";

/**
 * Renews the wallets that this worker has in hand, in parallel with its passes: leases are short, so that a killed worker is missed after seconds,
 * and a pass may take longer than they last. A pass that has stuck is not helped: its leases lapse, and what it still wants to write is
 * fenced out.
 */
export async function renewWalletLeases({ ctx, memory, timings, workerId }: TransferEngine): Promise<void> {
  const stuck = ctx.clock.now().getTime() - timings.stuckMs;
  const walletIds = [...memory.inHand.values()].flatMap((held) => (held.since > stuck ? held.walletIds : []));
  if (walletIds.length > 0) await renewWallets(ctx.db, { walletIds, owner: workerId, seconds: timings.leaseSeconds });
}

import { renewTransferClaims } from "#db/queries/transfers/transfers.ts";
import { renewWallets } from "#db/queries/transfers/wallets.ts";
import type { TransferEngine } from "./engine.ts";

/**
 * Renews what this worker has in hand, beside its passes: leases are short, so that a killed worker is missed after seconds, and a
 * pass may take longer than they last. A pass that has stuck is not helped: its leases lapse, and what it still wants to write is
 * fenced out.
 */
export async function renewTransferLeases({ ctx, memory, pace, workerId }: TransferEngine): Promise<void> {
  const stuck = ctx.clock.now().getTime() - pace.stuckMs;
  const walletIds = [...memory.inHand.values()].flatMap((held) => (held.since > stuck ? held.walletIds : []));
  const tokens = [...memory.claims].flatMap(([token, since]) => (since > stuck ? [token] : []));
  if (walletIds.length > 0) await renewWallets(ctx.db, { walletIds, owner: workerId, leaseMs: pace.leaseMs });
  if (tokens.length > 0) await renewTransferClaims(ctx.db, tokens, pace.leaseMs);
}

import { releaseWallets } from "#db/queries/transfers/wallets.ts";
import type { Duty } from "#server/engines/duty.ts";
import type { TransferEngine } from "./engine.ts";
import { renewWalletLeases } from "./renew-leases.ts";
import { runTransfersOnce } from "./run-transfers.ts";

/** One duty per chain, since chains do not wait for one another; and one that renews the wallets' leases of them all. */
export function paymentDuties(engine: TransferEngine): Duty[] {
  const chains = engine.ctx.evm.list().map(
    ({ chain }): Duty => ({
      name: `transfers ${chain}`,
      channel: "transfers",
      everyMs: 1_000,
      run: (signal) => runTransfersOnce(engine, chain, signal),
      // So that another worker can go on at once.
      drain: () => releaseWallets(engine.ctx.db, { chain, owner: engine.workerId }),
    }),
  );
  const leases: Duty = {
    name: "transfer leases",
    everyMs: (engine.pace.leaseSeconds * 1_000) / 3,
    async run() {
      await renewWalletLeases(engine);
      return "idle";
    },
  };
  return [...chains, leases];
}

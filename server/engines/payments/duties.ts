import type { HoldPlace } from "#db/queries/screening/unanswered-holds.ts";
import { releaseWallets } from "#db/queries/transfers/wallets.ts";
import type { Duty } from "#server/engines/duty.ts";
import { askUnansweredAgain } from "#server/services/screening/ask-again.ts";
import { headsDuty } from "./claiming/heads-duty.ts";
import { renewWalletLeases } from "./claiming/renew-leases.ts";
import type { TransferEngine } from "./engine.ts";
import { runTransfersOnce } from "./run-transfers.ts";

/**
 * One duty per chain, since chains do not wait for one another; one that renews the wallets' leases of all chains; one that reads the
 * chains' state; and one that screens unanswered recipients again.
 */
export function paymentDuties(engine: TransferEngine): Duty[] {
  const chains = engine.ctx.evm.list().map(({ chain }) => chainDuty(engine, chain));
  const leases: Duty = {
    name: "transfer leases",
    everyMs: (engine.timings.leaseSeconds * 1_000) / 3,
    async run() {
      await renewWalletLeases(engine);
      return "idle";
    },
  };
  return [...chains, leases, headsDuty(engine), screeningDuty(engine)];
}

function screeningDuty({ ctx }: TransferEngine): Duty {
  let place: HoldPlace | null = null;
  return {
    name: "unanswered screenings",
    everyMs: 5_000,
    async run() {
      place = await askUnansweredAgain(ctx, place);
      return place === null ? "idle" : "busy";
    },
  };
}

/**
 * While something is in flight, the next block is read sooner than the interval. There is only one next read: a pass that was woken in
 * between postpones it, otherwise each wake would start another series of reads.
 */
function chainDuty(engine: TransferEngine, chain: string): Duty {
  let wake = () => {};
  let nextLook: NodeJS.Timeout | undefined;
  return {
    name: `transfers ${chain}`,
    channel: "transfers",
    everyMs: 1_000,
    onWake(wakeUp) {
      wake = wakeUp;
    },
    async run(signal) {
      const verdict = await runTransfersOnce(engine, chain, signal);
      clearTimeout(nextLook);
      nextLook = engine.memory.underway.has(chain) ? setTimeout(() => wake(), engine.timings.watchMs).unref() : undefined;
      return verdict;
    },
    // So that another worker can continue at once. An abandoned round stores nothing any more: it has neither wallet nor payments.
    async drain() {
      await releaseWallets(engine.ctx.db, { chain, owner: engine.workerId });
      await engine.claims.releaseAll(engine.memory.claimed.get(chain) ?? []);
    },
  };
}

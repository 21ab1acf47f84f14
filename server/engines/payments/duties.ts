import type { HoldPlace } from "#db/queries/screening/unanswered-holds.ts";
import { releaseWallets } from "#db/queries/transfers/wallets.ts";
import type { Duty } from "#server/engines/duty.ts";
import { askUnansweredAgain } from "#server/services/screening/ask-again.ts";
import { headsDuty } from "./claiming/heads-duty.ts";
import { renewWalletLeases } from "./claiming/renew-leases.ts";
import type { TransferEngine } from "./engine.ts";
import { runTransfersOnce } from "./run-transfers.ts";

/**
 * One duty per chain, since chains do not wait for one another; one that renews the wallets' leases of them all; one that asks how the chains
 * are; and one that asks again about recipients of whom nobody could tell.
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
 * While something is on its way to a block, the next block is looked for sooner than the rhythm has it. There is one next look: a pass that was
 * woken in between puts it off, else each wake would begin a series of looks of its own.
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
    // So that another worker can go on at once. Of a round that was left nothing is stored any more: it has neither wallet nor payments.
    async drain() {
      await releaseWallets(engine.ctx.db, { chain, owner: engine.workerId });
      await engine.claims.releaseAll(engine.memory.claimed.get(chain) ?? []);
    },
  };
}

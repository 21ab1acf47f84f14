import { hasOpenLapsing } from "#db/queries/transfers/lapsing-attempts.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { Duty } from "#server/engines/duty.ts";
import type { LapsingEngine } from "./engine.ts";
import { lapsingBalancesDuty, lapsingHeadsDuty } from "./observe-chain.ts";
import { runLapsingOnce } from "./run-lapsing.ts";

/** One duty per chain, since chains do not wait for one another, and what reads nodes and wallets for the figures. */
export function lapsingDuties(engine: LapsingEngine): Duty[] {
  if (engine.chains.length === 0) return [];
  const payments = engine.chains.map((chain) => paymentDuty(engine, chain));
  const balances = engine.chains.map((chain) => lapsingBalancesDuty(engine, chain));
  return [...payments, lapsingHeadsDuty(engine), ...balances];
}

function paymentDuty(engine: LapsingEngine, chain: LapsingChain): Duty {
  let wake = () => {};
  let nextLook: NodeJS.Timeout | undefined;
  return {
    name: `transfers ${chain.chain}`,
    channel: "transfers",
    everyMs: 1_000,
    onWake(wakeUp) {
      wake = wakeUp;
    },
    async run(signal) {
      const verdict = await runLapsingOnce(engine, chain, signal);
      clearTimeout(nextLook);
      const isOpen = await hasOpenLapsing(engine.ctx.db, chain.chain);
      nextLook = isOpen ? setTimeout(() => wake(), engine.timings.lookMs).unref() : undefined;
      return verdict;
    },
    async drain() {
      await engine.claims.releaseAll();
    },
  };
}

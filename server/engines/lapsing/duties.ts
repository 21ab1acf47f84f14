import { hasOpenLapsing } from "#db/queries/transfers/lapsing-attempts.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { Duty } from "#server/engines/duty.ts";
import type { LapsingEngine } from "./engine.ts";
import { lapsingBalancesDuty, lapsingHeadsDuty } from "./observe-chain.ts";
import { runLapsingOnce } from "./run-lapsing.ts";

/** All duties of these chains: their payments, and what reads nodes and wallets for the figures. */
export function lapsingDuties(engine: LapsingEngine): Duty[] {
  if (engine.chains.length === 0) return [];
  const balances = engine.chains.map((chain) => lapsingBalancesDuty(engine, chain));
  return [...lapsingPaymentDuties(engine), lapsingHeadsDuty(engine), ...balances];
}

/** One duty per chain, since chains do not wait for one another. */
export function lapsingPaymentDuties(engine: LapsingEngine): Duty[] {
  return engine.chains.map((chain) => paymentDuty(engine, chain));
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

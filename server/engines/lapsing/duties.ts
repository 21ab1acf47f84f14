import { hasOpenLapsing } from "#db/queries/transfers/lapsing-attempts.ts";
import type { Duty } from "#server/engines/duty.ts";
import type { LapsingEngine } from "./engine.ts";
import { runLapsingOnce } from "./run-lapsing.ts";

/** One duty per chain, since chains do not wait for one another. */
export function lapsingDuties(engine: LapsingEngine): Duty[] {
  return engine.chains.map((chain) => {
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
    } satisfies Duty;
  });
}

import type { History } from "./history.ts";
import { isLapsingDone, judgeLapsing, leftOver } from "./lapsing-judge.ts";
import { PLAIN_MOOD } from "./lapsing-nodes.ts";
import { planLapsing } from "./lapsing-plan.ts";
import { planLapsingPutBack } from "./lapsing-put-back.ts";
import { type LapsingWorld, makeLapsingWorld, startLapsingWorker } from "./lapsing-world.ts";

const BLOCK_MS = 400;
/** The last call of the bad hour has answered by then. */
const HUSH_MS = 3_000;
/** Every expiry is over by then, twice. */
const DRAIN_LIMIT_MS = 60_000;

/** One history: payments, blocks, faults and deaths as the seed has them, then calm; then the model judges what the chain and the tables say. */
export async function runLapsing(history: History): Promise<void> {
  const world = makeLapsingWorld(history);
  const { scheduler } = world;
  const { faultsMs, payments } = planLapsing(world);
  const share = history.random.pick([0.7, 0.2, 0.05]);
  planLapsingPutBack(world, faultsMs);
  scheduler.after(BLOCK_MS, () => nextBlock(world, share));
  await scheduler.run(faultsMs, () => false);
  calm(world);
  const isDrained = () => world.violations.length > 0 || (world.owed.size === payments && isLapsingDone(world));
  await scheduler.run(DRAIN_LIMIT_MS, isDrained);
  if (!isDrained()) world.violations.push(`not done ${DRAIN_LIMIT_MS / 1_000} s after the last fault: ${leftOver(world)}`);
  // What was signed before may still land now, if it was not dead.
  await scheduler.run(10_000, () => world.violations.length > 0);
  judgeLapsing(world);
  world.isOver = true;
  for (const { gate } of [...world.workers]) gate.kill();
  history.violations.push(...world.violations);
}

function nextBlock(world: LapsingWorld, share: number): void {
  const { scheduler, net, history } = world;
  net.chain.mine(scheduler.now, world.isCalm ? 0.8 : share, 0.05);
  history.trace?.(
    `block ${net.chain.height}: ${net.chain.blocks
      .at(-1)
      ?.landed.map(({ one }) => one.id)
      .join(" ")}`,
  );
  scheduler.after(BLOCK_MS / 2 + history.random.below(BLOCK_MS), () => nextBlock(world, share));
}

function calm(world: LapsingWorld): void {
  const { weather, net, workers, scheduler } = world;
  Object.assign(weather, { killed: 0, databaseAwayUntil: 0 });
  Object.assign(net.broken, { before: 0, after: 0, signer: 0, late: 0.05 });
  for (const mood of net.moods) {
    const { isOther } = mood;
    Object.assign(mood, { ...PLAIN_MOOD, isOther });
    scheduler.after(HUSH_MS, () => Object.assign(mood, PLAIN_MOOD));
  }
  net.chain.fund += 1_000_000_000n;
  for (const { gate } of workers) gate.who.frozenUntil = 0;
  world.isCalm = true;
  if (workers.length === 0) startLapsingWorker(world);
  world.history.trace?.("calm");
}

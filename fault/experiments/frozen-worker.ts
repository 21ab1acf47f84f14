import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf } from "#bench/processes.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { createPayment, inStreams, timePayment } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, signalled, type World } from "#fault/world.ts";

const LOOPS = 6;
const DRAIN_LIMIT_MS = 180_000;
/** Far beyond any lease, and the deadline of any statement and callback that it had begun. */
const FROZEN_MS = { long: 40_000, short: 12_000 };

export const frozenWorker: Experiment = {
  name: "frozen-worker",
  breaks: "One of two workers is frozen (SIGSTOP) far beyond its leases, and resumes in the middle of its work",
  judged: "the other pays on within 5 s of its usual time; the late writes of the frozen one are refused",
  async run(scene) {
    const [settlements, freezes] = [scene.pick(500, 60), scene.pick(6, 2)];
    return await inWorld(scene, { webs: 1, workers: 2 }, async (world) => {
      const found = await withFreezes(world, scene, { settlements, freezes });
      const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
      const own = [
        must("every_freeze_done", "workers were frozen as often as intended", found.done === freezes, `${found.done} of ${freezes}`),
      ];
      const more = { interruptions: found.done, drainedAfterMs, recoveries: found.recoveries, own };
      return { counts: `${settlements} settlements, ${found.done} freezes`, facts: await factsOf(world, NOTHING, more) };
    });
  },
};

type Plan = { settlements: number; freezes: number };

/** Settlements all the time; each freeze ends with a timed payment while one worker is still frozen. */
async function withFreezes(world: World, scene: Scene, { settlements, freezes }: Plan) {
  const orders = scene.random.fork("orders");
  const order = (reference: string) => ({ random: orders.fork(reference), reference });
  const timed = (reference: string) => timePayment(world, order(reference), DRAIN_LIMIT_MS);
  const usual = Math.max(await timed("usual-1"), await timed("usual-2"));
  const recoveries: { after: string; ms: number }[] = [];
  let done = 0;
  const state = { over: false };
  const traffic = inStreams(settlements, LOOPS, async (index) => {
    await createPayment(world, order(`order-${index}`));
    if (!state.over) await sleep(scene.pick(2_500, 1_200));
  });
  for (; done < freezes; done += 1) {
    await sleep(scene.random.below(2_000));
    const pid = scene.random.pick(pidsOf("worker"));
    signalled(pid, "SIGSTOP");
    try {
      const length = scene.pick(FROZEN_MS.long, FROZEN_MS.short);
      const began = performance.now();
      recoveries.push({ after: "one of two workers was frozen", ms: Math.max(0, (await timed(`frozen-${done}`)) - usual) });
      await sleep(Math.max(0, length - (performance.now() - began)));
    } finally {
      signalled(pid, "SIGCONT");
    }
  }
  state.over = true;
  await traffic;
  return { done, recoveries };
}

import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf } from "#bench/processes.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { withoutSigner } from "#fault/signer-away.ts";
import { createPayment, inStreams, timePayment } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, type Kind, killOne, onNetwork, type World } from "#fault/world.ts";
import type { Family } from "#sandbox/settings.ts";

const LOOPS = 8;
const EVERY_MS = { least: 200, most: 1_600 };
/** One in this many settlements is above the maximum, and approved. */
const ONE_ABOVE_OF = 50;
const DRAIN_LIMIT_MS = 180_000;

export const kills = killsOn(null);

/** The same on a network of another family. */
export function killsOn(family: Family | null): Experiment {
  return {
    name: family === null ? "kills" : `kills-${family}`,
    breaks: `Web processes, workers and the signer get SIGKILL at random moments, also during their start, while settlements flow${onNetwork(family)}`,
    judged:
      "each is paid once and called back; after a last kill of every worker, and after 15 s without a signer, a new payment proceeds within 5 s of its usual time; meanwhile what was sent ends",
    run: (scene) => killing(scene, family),
  };
}

async function killing(scene: Scene, family: Family | null): Promise<Run> {
  const [settlements, deaths] = family === null ? [scene.pick(2_000, 100), scene.pick(200, 10)] : [scene.pick(250, 15), scene.pick(50, 4)];
  return await inWorld(scene, { webs: 2, workers: 2, family }, async (world) => {
    const done = await underFire(world, scene, { settlements, deaths });
    const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
    const recovery = await paysOn(world, scene);
    const away = scene.pick(true, false) ? await withoutSigner(world, scene, recovery.usual) : null;
    await drained(world.database, DRAIN_LIMIT_MS);
    const killed = must("every_kill_done", "as many processes were killed as intended", done === deaths, `${done} of ${deaths}`);
    const more = {
      interruptions: done + 1,
      websDied: true,
      drainedAfterMs,
      recoveries: [recovery, ...(away ? [away.recovery] : [])],
      own: [killed, ...(away?.own ?? [])],
    };
    return {
      counts: [`${settlements} settlements`, `${done} kills`, ...(away ? [away.counts] : [])].join(", "),
      facts: await factsOf(world, NOTHING, more),
    };
  });
}

/** Settlements and kills concurrently until both are done. */
async function underFire(world: World, scene: Scene, { settlements, deaths }: { settlements: number; deaths: number }) {
  const orders = scene.random.fork("orders");
  let owed = 0;
  let killed = 0;
  const pay = inStreams(settlements, LOOPS, async (index) => {
    const random = orders.fork(String(index));
    await createPayment(world, { random, reference: `order-${index}`, aboveMaximum: index % ONE_ABOVE_OF === 7 });
    owed += 1;
    // Dealt out over all the kills: neither is through long before the other.
    while (owed / settlements > (killed + 1) / deaths && killed < deaths) await sleep(20);
  });
  const kill = (async () => {
    for (const limit = performance.now() + 1_200_000; killed < deaths && performance.now() < limit; ) {
      await sleep(EVERY_MS.least + scene.random.below(EVERY_MS.most - EVERY_MS.least));
      if (killOne(scene.random.pick<Kind>(["web", "worker", "signer"]), scene)) killed += 1;
      if (killed % 20 === 0) scene.say(`${owed} settlements, ${killed} kills`);
    }
  })();
  await Promise.all([pay, kill]);
  return killed;
}

/** How much longer a payment takes when all workers are killed just before it is confirmed. */
async function paysOn(world: World, scene: Scene): Promise<{ after: string; ms: number; usual: number }> {
  const paid = (reference: string) => timePayment(world, { random: scene.random, reference }, DRAIN_LIMIT_MS);
  const usual = Math.max(await paid("usual-1"), await paid("usual-2"));

  for (const pid of pidsOf("worker")) process.kill(pid, "SIGKILL");
  const afterwards = await paid("afterwards");
  await drained(world.database, DRAIN_LIMIT_MS);
  return { after: "a kill of every worker", ms: Math.max(0, afterwards - usual), usual };
}

import { type Altered, SIGNER_STEPS } from "#fault/altered.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { rule } from "#fault/outcome.ts";
import { createPayment } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, onNetwork, timeUntil, type World } from "#fault/world.ts";
import type { Family } from "#sandbox/settings.ts";
import { LAPSING_STEPS } from "#server/engines/lapsing/engine.ts";

/** Nothing is screened here. */
const STEPS = [...LAPSING_STEPS.filter((step) => step !== "held"), ...SIGNER_STEPS] as const;
type Step = (typeof STEPS)[number];

/** Pairs besides those in which each step is the first. */
const MORE_PAIRS = 12;
const AT_ONCE = 3;
const REACHED_WITHIN_MS = 60_000;
const DRAIN_LIMIT_MS = 240_000;

/** A real worker or signer is killed by SIGKILL at a step of a payment that lapses, and then another one at another step. */
export function crashStepsOn(family: Family): Experiment {
  return {
    name: `crash-points-${family}`,
    breaks: `A worker or the signer is killed (SIGKILL) at a step of a payment that lapses, and then one at another step: every step, alone and before another${onNetwork(family)}`,
    judged: "each settlement is paid and called back once; every step was reached by a process that died there",
    async run(scene) {
      return await inWorld(scene, { webs: 1, workers: 2, family }, async (world) => {
        if (world.altered === null) throw new Error("no process can be asked to die");
        return await inPairs(world, scene, world.altered);
      });
    },
  };
}

type Pair = { first: Step; second: Step };

/** Each step once as the first; in the long form also some of the other pairs. A lapse is waited for, so it is in no pair that is drawn. */
function choose({ random, pick }: Scene): Pair[] {
  const others = STEPS.filter((step) => step !== "lapsed");
  const each = STEPS.map((first) => ({ first, second: random.pick(others) }));
  const pairs = others.flatMap((first) => others.map((second) => ({ first, second })));
  return [...pick(each, random.shuffled(each).slice(0, 2)), ...random.shuffled(pairs).slice(0, pick(MORE_PAIRS, 0))];
}

async function inPairs(world: World, scene: Scene, altered: Altered): Promise<Run> {
  const pairs = choose(scene);
  const wanted = [...new Set(pairs.map(({ first }) => first))];
  const met = new Set<string>();
  const orders = scene.random.fork("orders");
  let [deaths, worst] = [0, 0];
  for (const [index, pair] of pairs.entries()) {
    if (index % 10 === 0) scene.say(`${index} of ${pairs.length} pairs, ${deaths} deaths`);
    // A pass claims all of them at once, and makes them in one transaction where they are packed.
    altered.die(pair.first, pair.first === "claimed" || scene.packing ? 1 : 1 + scene.random.below(AT_ONCE));
    if (pair.first === "lapsed") await world.stage.network?.hold();
    const pay = (count: number) => payAtOnce(world, { count, name: `order-${index}`, random: orders });
    if (pair.first === "lapsed") await lapse(world, () => pay(AT_ONCE));
    else await pay(AT_ONCE);
    for (const [step, next] of [
      [pair.first, pair.second],
      [pair.second, null],
    ] as const) {
      const isReached = (await timeUntil(async () => !altered.isAwaited(), next === null ? 3_000 : REACHED_WITHIN_MS, 20)) !== null;
      if (isReached) deaths += 1;
      if (isReached) met.add(step);
      altered.forget();
      if (next !== null) altered.die(next);
    }
    const done = await drained(world.database, DRAIN_LIMIT_MS);
    worst = Math.max(worst, done ?? Number.POSITIVE_INFINITY);
  }
  const own = [
    rule("every_step_covered", "a process died at every step", wanted, (step) => (met.has(step) ? [] : [`no process died at ${step}`])),
  ];
  const drainedAfterMs = Number.isFinite(worst) ? worst : null;
  return {
    counts: `${wanted.length} steps, ${pairs.length} pairs, ${deaths} deaths, ${world.history.owed.length} settlements`,
    facts: await factsOf(world, NOTHING, { interruptions: deaths, drainedAfterMs, own }),
  };
}

type Orders = { count: number; name: string; random: Scene["random"] };

async function payAtOnce(world: World, { count, name, random }: Orders): Promise<void> {
  const each = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  await Promise.all(each.map((reference) => createPayment(world, { random: random.fork(reference), reference })));
}

/** What is sent gets into no block, and expires. */
async function lapse(world: World, pay: () => Promise<void>): Promise<void> {
  await pay();
  const isSent = async () =>
    (await world.database.sql`select 1 from transfers where state = 'queued'`).length === 0 &&
    (await world.database.sql`select 1 from lapsing_attempts where state = 'stored'`).length === 0;
  await timeUntil(isSent, REACHED_WITHIN_MS);
  await world.stage.network?.passExpiry();
}

import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf } from "#bench/processes.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { partnerClient } from "#sandbox/client/partner.ts";
import { NOTHING, seconds } from "./checker.ts";
import type { Run, Scene } from "./experiment.ts";
import { must, type Outcome, rule } from "./outcome.ts";
import { createBody, createPayment, noted, SETTLEMENTS } from "./traffic.ts";
import type { Trouble } from "./troubles.ts";
import { drained, factsOf, knownTo } from "./truth.ts";
import { timeUntil, type World } from "./world.ts";

const LOOPS = 3;
const DRAIN_LIMIT_MS = 180_000;
const LOOK_MS = 200;
/** Every surface: signed and unsigned requests, the console's procedures, pages. */
const LOOKED_AT = ["/ready", "/api/trpc/session.me", "/console/sign-in", "/console"];

export type Plan<Server> = {
  server: Server;
  troubles: readonly Trouble<Server>[];
  rounds: number;
  /** What else is judged at the end. */
  judge?: () => Outcome[];
  /** The recovery time limit after a fault, if it differs from the common one. */
  goodWithinMs?: number;
};

/** Settlements flow, and every surface is polled, while one database fault after the other comes and goes. */
export async function throughTroubles<Server>(world: World, scene: Scene, plan: Plan<Server>): Promise<Run> {
  const { server, troubles, rounds, goodWithinMs } = plan;
  const before = [...pidsOf("web"), ...pidsOf("worker")];
  const state = { over: false };
  const orders = scene.random.fork("orders");
  const loops = Array.from({ length: LOOPS }, async (_, scope) => {
    for (let turn = 0; !state.over; turn += 1) {
      const reference = `order-${scope}-${turn}`;
      await createPayment(world, { random: orders.fork(reference), reference });
      await sleep(150);
    }
  });
  const work = Promise.all([...loops, lookAtAll(world, state)]);
  // A failure surfaces when all is over, even if it happened earlier.
  work.catch(() => {});
  try {
    const recoveries: Recovery[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const trouble of scene.random.shuffled(troubles)) {
        recoveries.push(...(await meet(world, scene, { server, trouble })));
        await trouble.mutant?.(server);
      }
    state.over = true;
    await work;
    const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
    const after = [...pidsOf("web"), ...pidsOf("worker")];
    const died = before.filter((pid) => !after.includes(pid));
    const later = world.history.answers.filter(({ status }) => status === 503).length;
    const known = new Set((await knownTo(world.database)).settlements.map(({ id }) => id));
    const own = [
      rule("first_write_kept", "the first write after a fault is still there at the end", recoveries, ({ after, quoted }) =>
        known.has(quoted) ? [] : [`${quoted}, answered after ${after}, is gone`],
      ),
      must("no_process_died", "no process of the service dies of a database fault", died.length === 0, `${died.length} died`),
      must("fault_had_effect", "some request got 503", later > 0, "no request got 503"),
      ...(goodWithinMs === undefined ? [] : [goodWithin(goodWithinMs, recoveries)]),
      ...(plan.judge?.() ?? []),
    ];
    const interruptions = rounds * troubles.length;
    const more = { interruptions, drainedAfterMs, own };
    const facts = await factsOf(world, NOTHING, { ...more, ...(goodWithinMs === undefined && { recoveries }) });
    return { counts: `${interruptions} troubles, ${world.history.owed.length} settlements, ${later} times 503`, facts };
  } finally {
    state.over = true;
    await Promise.allSettled([...loops, work]);
  }
}

/** `quoted`: what was written first. */
type Recovery = { after: string; ms: number; quoted: string };

/** From the end of the fault until each web process writes again. */
async function meet<Server>(
  world: World,
  scene: Scene,
  { server, trouble }: { server: Server; trouble: Trouble<Server> },
): Promise<Recovery[]> {
  await sleep(1_000 + scene.random.below(1_500));
  await trouble.cause(server, world.database.url);
  const orders = scene.random.fork(`after ${trouble.name}`);
  const waits = world.webs.map(async (web) => {
    let quoted = "";
    const isGood = async () => {
      const { status, text } = await partnerClient(web, world.stage.credentials).post(SETTLEMENTS, createBody(world, orders));
      if (status === 201) quoted = String(JSON.parse(text).tx_id);
      return status === 201;
    };
    return { after: trouble.name, ms: (await timeUntil(isGood, DRAIN_LIMIT_MS)) ?? Number.POSITIVE_INFINITY, quoted };
  });
  const found = await Promise.all(waits);
  scene.say(`${trouble.name}: recovered after ${found.map(({ ms }) => seconds(ms)).join(" and ")}`);
  return found;
}

function goodWithin(limitMs: number, recoveries: readonly Recovery[]): Outcome {
  return rule("recovers_within_limit", `recovers within ${seconds(limitMs)}`, recoveries, ({ after, ms }) =>
    ms <= limitMs ? [] : [`${seconds(ms)} after ${after}`],
  );
}

/** What everybody else sees meanwhile. */
async function lookAtAll(world: World, state: { over: boolean }): Promise<void> {
  for (let turn = 0; !state.over; turn += 1) {
    const target = LOOKED_AT[turn % LOOKED_AT.length] ?? "/";
    const web = world.webs[turn % world.webs.length] ?? "";
    await noted(world, target, () => exchange(web, { method: "GET", target, headers: [] }));
    await sleep(LOOK_MS);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { benchServerOn } from "#bench/database.ts";
import { pidsOf } from "#bench/processes.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { noted, owe } from "#fault/traffic.ts";
import { TROUBLES, type Trouble } from "#fault/troubles.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, timeUntil, type World } from "#fault/world.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { partnerClient } from "#sandbox/client/partner.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";

const LANES = 3;
const DRAIN_LIMIT_MS = 180_000;
const LOOK_MS = 200;
/** Every surface: what is signed, what is not, the console's procedures, pages. */
const LOOKED_AT = ["/ready", "/api/trpc/session.me", "/console/sign-in", "/console"];

export const database: Experiment = {
  name: "database",
  breaks:
    "PostgreSQL: sessions ended, a backend killed, the postmaster killed, stopped at once, no connection left, a table locked by somebody idle in a transaction",
  judged:
    "every surface says 503 with Retry-After meanwhile, no process dies of it, and each web process answers within 5 s of the end of it",
  async run(scene) {
    const postgres = await startTemporaryPostgres({ durable: true });
    const server = benchServerOn(postgres);
    try {
      return await inWorld({ ...scene, server }, { webs: 2, workers: 2 }, (world) => underTrouble(world, scene, postgres));
    } finally {
      await server.stop();
    }
  },
};

async function underTrouble(world: World, scene: Scene, postgres: TemporaryPostgres) {
  const rounds = scene.pick(3, 1);
  const receiver = await openReceiver();
  const before = [...pidsOf("web"), ...pidsOf("worker")];
  const state = { over: false };
  const orders = scene.random.fork("orders");
  const traffic = Array.from({ length: LANES }, async (_, lane) => {
    for (let turn = 0; !state.over; turn += 1) {
      const reference = `order-${lane}-${turn}`;
      await owe(world, { random: orders.fork(reference), callbackUrl: receiver.url, reference });
      await sleep(150);
    }
  });
  const looking = lookAtAll(world, state);
  try {
    const recoveries: { after: string; ms: number }[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const trouble of scene.random.shuffled(TROUBLES)) recoveries.push(...(await meet(world, trouble, { scene, postgres })));
    state.over = true;
    await Promise.all([...traffic, looking]);
    const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
    const after = [...pidsOf("web"), ...pidsOf("worker")];
    const died = before.filter((pid) => !after.includes(pid));
    const later = world.history.answers.filter(({ status }) => status === 503).length;
    const own = [
      must("nobody_died", "no process of the service dies of its database's trouble", died.length === 0, `${died.length} died`),
      must("was_felt", "somebody was told to come later", later > 0, "nobody noticed anything"),
    ];
    const interruptions = rounds * TROUBLES.length;
    const facts = await factsOf(world, NOTHING, { deliveries: receiver.deliveries, interruptions, drainedAfterMs, recoveries, own });
    return { counts: `${interruptions} troubles, ${world.history.owed.length} settlements, ${later} times 503`, facts };
  } finally {
    state.over = true;
    await Promise.allSettled([...traffic, looking]);
    await receiver.close();
  }
}

/** From the end of the trouble until each web process reads and writes again. */
async function meet(world: World, trouble: Trouble, { scene, postgres }: { scene: Scene; postgres: TemporaryPostgres }) {
  await sleep(1_000 + scene.random.below(1_500));
  await trouble.cause(postgres, world.database.url);
  const waits = world.webs.map(async (web) => {
    const isGood = async () => (await partnerClient(web, world.stage.credentials).get("/api/v1/settlements?limit=1")).status === 200;
    return { after: trouble.name, ms: (await timeUntil(isGood, DRAIN_LIMIT_MS)) ?? Number.POSITIVE_INFINITY };
  });
  const found = await Promise.all(waits);
  scene.say(`${trouble.name}: good again after ${found.map(({ ms }) => `${(ms / 1_000).toFixed(1)} s`).join(" and ")}`);
  return found;
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

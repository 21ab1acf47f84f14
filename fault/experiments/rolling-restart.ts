import { setTimeout as sleep } from "node:timers/promises";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { type Outcome, rule } from "#fault/outcome.ts";
import { owe } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, isReady, timeUntil, type World } from "#fault/world.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import type { Part, Running } from "#server/process/supervisor.ts";

const LANES = 3;
const LOOK_MS = 100;
const DRAIN_SECONDS = 2;
const DRAIN_LIMIT_MS = 120_000;
const READY_WITHIN_MS = 120_000;

export const rollingRestart: Experiment = {
  name: "rolling-restart",
  breaks:
    "Nothing: two web processes and two workers are replaced one after the other under load, as at every deployment, behind a balancer that asks /ready",
  judged: "not one request fails, each process ends with exit code 0, payments go on",
  async run(scene) {
    const rounds = scene.pick(10, 1);
    return await inWorld(scene, { webs: 0, workers: 0 }, async (world) => {
      const receiver = await openReceiver();
      const service = await openService(world);
      try {
        const ends = await underLoad(world, scene, { service, rounds, callbackUrl: receiver.url });
        const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
        const own: Outcome[] = [
          rule("ends_well", "each process that is told to end does so with 0", ends, (how) => (how === "exit code 0" ? [] : [how])),
          rule("nobody_noticed", "no request fails", world.history.answers, ({ what, status, detail }) =>
            status !== null && status < 400 ? [] : [`${what}: ${status ?? detail}`],
          ),
        ];
        const facts = await factsOf(world, NOTHING, { deliveries: receiver.deliveries, drainedAfterMs, own });
        return {
          counts: `${ends.length} processes replaced, ${world.history.answers.length} requests, ${world.history.owed.length} settlements`,
          facts,
        };
      } finally {
        for (const { running } of service) await running.stop();
        await receiver.close();
      }
    });
  },
};

/** `url`: of a web process. */
type Standing = { part: Part; running: Running; url: string | null };
const begin = (part: Part) => part.start(new AbortController().signal);

async function openService({ stage }: World): Promise<Standing[]> {
  const env = { DRAIN_SECONDS: String(DRAIN_SECONDS) };
  const service: Standing[] = [];
  for (let each = 0; each < 2; each += 1) {
    const port = await findFreePort();
    const part = stage.webPart(port, env);
    service.push({ part, running: await begin(part), url: `http://127.0.0.1:${port}` });
  }
  const worker = await stage.workerPart(2);
  for (let each = 0; each < 2; each += 1) service.push({ part: worker, running: await begin(worker), url: null });
  return service;
}

type Plan = { service: Standing[]; rounds: number; callbackUrl: string };

async function underLoad(world: World, scene: Scene, { service, rounds, callbackUrl }: Plan): Promise<string[]> {
  const state = { over: false };
  const urls = service.flatMap(({ url }) => (url === null ? [] : [url]));
  const look = async () => {
    const ready = await Promise.all(urls.map(isReady));
    world.webs.splice(0, world.webs.length, ...urls.filter((_, index) => ready[index]));
  };
  await look();
  const looking = (async () => {
    for (; !state.over; await sleep(LOOK_MS)) await look();
  })();
  const orders = scene.random.fork("orders");
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let turn = 0; !state.over; turn += 1) {
      const reference = `order-${lane}-${turn}`;
      await owe(world, { random: orders.fork(reference), callbackUrl, reference });
      await sleep(50);
    }
  });
  const ends: string[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const each of service) {
      await each.running.stop();
      ends.push(await each.running.exited);
      each.running = await begin(each.part);
      const { url } = each;
      if (url !== null && (await timeUntil(async () => world.webs.includes(url), READY_WITHIN_MS)) === null)
        throw new Error(`${url} did not get ready`);
      await sleep(LOOK_MS);
    }
  state.over = true;
  await Promise.all([looking, ...lanes]);
  return ends;
}

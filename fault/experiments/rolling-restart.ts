import { setTimeout as sleep } from "node:timers/promises";
import { NOTHING, seconds } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { must, type Outcome, rule } from "#fault/outcome.ts";
import { createPayment } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, timeUntil, type World } from "#fault/world.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import type { Part, Running } from "#server/process/supervisor.ts";

const LOOPS = 3;
const LOOK_MS = 100;
const DRAIN_SECONDS = 2;
const DRAIN_LIMIT_MS = 120_000;
const GOOD_AGAIN_MS = 5_000;
const READY_WITHIN_MS = 120_000;

export const rollingRestart: Experiment = {
  name: "rolling-restart",
  breaks:
    "Nothing: two web processes and two workers are replaced one after another under load, as in every deployment, behind a balancer that checks /health",
  judged: "no request fails, /ready is never unavailable for longer than 5 s, each process exits with code 0, payments continue",
  alone: true,
  async run(scene) {
    const rounds = scene.pick(10, 1);
    const goodAgainMs = scene.patience * GOOD_AGAIN_MS;
    return await inWorld(scene, { webs: 0, workers: 0 }, async (world) => {
      const service = await openService(world);
      try {
        const { ends, gaps } = await underLoad(world, scene, { service, rounds });
        const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
        const unready = gaps.map(({ lastedMs, said }) => `${lastedMs} ms (${said})`).join(", ");
        const own: Outcome[] = [
          rule("clean_exits", "each process that is stopped exits with 0", ends, (how) => (how === "exit code 0" ? [] : [how])),
          must(
            "ready_again",
            `a web process finds the service ready again within ${seconds(goodAgainMs)}`,
            gaps.every(({ lastedMs }) => lastedMs <= goodAgainMs),
            unready,
          ),
          rule("no_failed_request", "no request fails", world.history.answers, ({ what, status, detail }) =>
            status !== null && status < 400 ? [] : [`${what}: ${status ?? ""} ${detail}`],
          ),
        ];
        const facts = await factsOf(world, NOTHING, { drainedAfterMs, own });
        return {
          counts: `${ends.length} processes replaced, ${world.history.answers.length} requests, ${world.history.owed.length} settlements; no /ready was 200 for: ${unready || "no moment"}`,
          facts,
        };
      } finally {
        for (const { running } of service) await running.stop();
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
  const signer = stage.signerPart(2);
  service.push({ part: signer, running: await begin(signer), url: null });
  const worker = await stage.workerPart(2);
  for (let each = 0; each < 2; each += 1) service.push({ part: worker, running: await begin(worker), url: null });
  return service;
}

const ask = async (url: string, target: "/health" | "/ready") =>
  await exchange(url, { method: "GET", target, headers: [] }).catch((error: unknown) => ({ status: null, text: `"${error}"` }));

/** A time during which no web process found the service ready, and what they said was amiss. */
type Gap = { began: number; lastedMs: number; said: string };

/** Asks every `/ready` until it is over. */
async function watchReadiness(urls: readonly string[], isOver: () => boolean): Promise<Gap[]> {
  const gaps: Gap[] = [];
  for (let open: Gap | null = null; !isOver(); await sleep(LOOK_MS)) {
    const answers = await Promise.all(urls.map((url) => ask(url, "/ready")));
    if (answers.some(({ status }) => status === 200)) {
      open = null;
      continue;
    }
    if (open === null) {
      open = { began: performance.now(), lastedMs: 0, said: answers.map(({ text }) => amiss(text)).join(" | ") };
      gaps.push(open);
    }
    open.lastedMs = Math.round(performance.now() - open.began);
  }
  return gaps;
}

/** The checks that failed, in what `/ready` answered. */
function amiss(text: string): string {
  const { checks } = JSON.parse(text) as { checks?: Record<string, { ok: boolean; detail?: string }> };
  if (checks === undefined) return text;
  return Object.entries(checks)
    .flatMap(([name, { ok, detail = "" }]) => (ok ? [] : [`${name}: ${detail}`]))
    .join("; ");
}

type Plan = { service: Standing[]; rounds: number };

async function underLoad(world: World, scene: Scene, { service, rounds }: Plan): Promise<{ ends: string[]; gaps: Gap[] }> {
  const state = { over: false };
  const urls = service.flatMap(({ url }) => (url === null ? [] : [url]));
  const look = async () => {
    const health = await Promise.all(urls.map((url) => ask(url, "/health")));
    world.webs.splice(0, world.webs.length, ...urls.filter((_, index) => health[index]?.status === 200));
  };
  await look();
  const looking = (async () => {
    for (; !state.over; await sleep(LOOK_MS)) await look();
  })();
  const watching = watchReadiness(urls, () => state.over);
  const orders = scene.random.fork("orders");
  const loops = Array.from({ length: LOOPS }, async (_, scope) => {
    for (let turn = 0; !state.over; turn += 1) {
      const reference = `order-${scope}-${turn}`;
      await createPayment(world, { random: orders.fork(reference), reference });
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
  await Promise.all([looking, ...loops]);
  return { ends, gaps: await watching };
}

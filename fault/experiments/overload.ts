import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf } from "#bench/processes.ts";
import { keyOfNewPartner } from "#bench/signed.ts";
import { NOTHING, seconds } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { askable, type Look, lookAt } from "#fault/memory.ts";
import { must, type Outcome, rule } from "#fault/outcome.ts";
import { type Key, openClients, type Sample } from "#fault/overload-traffic.ts";
import { createPayment } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, type World } from "#fault/world.ts";
import { exchange } from "#sandbox/client/exchange.ts";

/**
 * Each quote takes so much longer, as on a database in trouble. So the database is the bottleneck, and one machine can send ten times of
 * what it can do.
 */
const SLOWER_SECONDS = 0.1;
const CONNECTIONS = 8;
const TIMES = 10;
const POLITE_KEYS = 99;
const FEW_KEYS = 15;
/** One request in so many is a polite key's: together they ask for half of what the service can make. */
const POLITE_ONE_IN = 20;
/** Of the capacity, and of what polite keys ask for: as promised, and next to the other experiments of `npm test`, which use the processors. */
const SHARES = { long: { goodput: 0.7, polite: 0.9 }, short: { goodput: 0.4, polite: 0.6 } };
const ANSWER_LIMIT_MS = 2_000;
const HEALTH_LIMIT_MS = 1_000;
const HEALTH_EVERY_MS = 100;
/** After a garbage collection: the API log's buffer, code that was compiled meanwhile, and what the heap is fragmented by. */
const MAY_HOLD_MORE_BYTES = 64 * 1_048_576;
/** Garbage included, less than a process may have (packaging/units). */
const MAY_RESIDE_BYTES = 768 * 1_048_576;
const DRAIN_LIMIT_MS = 120_000;
const EXPECTED: readonly (number | null)[] = [201, 429, 503];

export const overload: Experiment = {
  name: "overload",
  breaks:
    "A slow database, and clients that ask for ten times as many quotes as the service can then make: with one key, and with a greedy key among a hundred; afterwards for half as many",
  judged:
    "meanwhile the service makes at least 70 % of the quotes that it can; every answer is 201, 429 or 503 within 2 s, with the contract's body; /health answers within 1 s; polite keys get their quotes; the memory is bounded; then everything is good within 5 s",
  async run(scene) {
    const folder = mkdtempSync(join(tmpdir(), "held-"));
    const env = { ...askable(folder), WEB_DATABASE_CONNECTIONS: String(CONNECTIONS) };
    try {
      return await inWorld(scene, { webs: 1, workers: 1, wallets: 1, env }, (world) => underLoad(world, scene, folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function underLoad(world: World, scene: Scene, folder: string): Promise<Run> {
  const clients = openClients(world, scene.random.fork("quotes"));
  const [url = ""] = world.webs;
  const [pid = 0] = pidsOf("web");
  const look = () => lookAt(folder, pid, world.history.answers.length);
  const health = watchHealth(url);
  try {
    const greedy: Key = world.stage.credentials;
    const polite: Key[] = [];
    for (let number = 0; number < scene.pick(POLITE_KEYS, FEW_KEYS); number += 1)
      polite.push(await keyOfNewPartner(world.stage, url, `polite-${number}`));
    await slowDown(world);
    const capacity = await clients.measureCapacity([greedy, ...polite], { clients: 2 * CONNECTIONS, forMs: scene.pick(10_000, 1_500) });
    scene.say(`${capacity.toFixed(0)} quotes a second over ${CONNECTIONS} connections`);
    const looks: Look[] = [await look()];
    const oneKey = () => greedy;
    const aHundred = (number: number) =>
      (number % POLITE_ONE_IN === 0 ? polite[(number / POLITE_ONE_IN) % polite.length] : undefined) ?? greedy;
    const own: Outcome[] = [];
    const [recoveries, counts]: [{ after: string; ms: number }[], string[]] = [[], []];
    const many = ["a greedy key among polite ones", aHundred] as const;
    for (const [name, keyOf] of scene.pick([["one key", oneKey] as const, many], [many])) {
      const forMs = scene.pick(60_000, 3_000);
      const during = await clients.ask({ perSecond: TIMES * capacity, forMs, keyOf });
      const after = await clients.ask({ perSecond: capacity / 2, forMs: scene.pick(15_000, 1_500), keyOf });
      looks.push(await look());
      own.push(...judged(scene, { name, during, capacity, forMs, greedy }));
      const bad = after.filter(({ status }) => status !== 201).map(({ sentMs, tookMs }) => sentMs + tookMs);
      recoveries.push({ after: `the overload with ${name}`, ms: Math.max(0, ...bad) });
      counts.push(`${name}: ${described(during, capacity, forMs)}, recovered after ${seconds(Math.max(0, ...bad))}`);
    }
    const late = await health.stop();
    own.push(healthInTime(scene, late), memoryBounded(looks));
    await createPayment(world, { random: scene.random.fork("afterwards"), reference: "afterwards" });
    const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
    const facts = await factsOf(world, NOTHING, { drainedAfterMs, recoveries, own });
    const possible = `${capacity.toFixed(0)} quotes a second possible with ${CONNECTIONS} connections`;
    return {
      counts: `${possible}; ${counts.join("; ")}; /health after ${seconds(Math.max(...late))} at the latest; ${memoryOf(looks)}`,
      facts,
    };
  } finally {
    await health.stop();
    clients.close();
  }
}

/** As the database's owner. */
async function slowDown({ database }: World): Promise<void> {
  await database.owner.unsafe(`
    create function slow_quote() returns trigger language plpgsql as $$ begin perform pg_sleep(${SLOWER_SECONDS}); return new; end $$;
    create trigger slow_quote before insert on settlement_quotes for each row execute function slow_quote()`);
}

/** Asks a web process all the while whether it is healthy. `stop` answers how long each answer took. */
function watchHealth(url: string) {
  let over = false;
  const watching = (async () => {
    const tookMs: number[] = [];
    for (; !over; await sleep(HEALTH_EVERY_MS)) {
      const began = performance.now();
      await exchange(url, { method: "GET", target: "/health", headers: [] });
      tookMs.push(performance.now() - began);
    }
    return tookMs;
  })();
  watching.catch(() => {});
  return {
    stop: async () => {
      over = true;
      return await watching;
    },
  };
}

const inTime = (samples: readonly Sample[], forMs: number) => samples.filter(({ sentMs, tookMs }) => sentMs + tookMs <= forMs);
const madeIn = (samples: readonly Sample[]) => samples.filter(({ status }) => status === 201);

function described(during: readonly Sample[], capacity: number, forMs: number): string {
  const share = ((100_000 * madeIn(inTime(during, forMs)).length) / (capacity * forMs)).toFixed(0);
  const perSecond = (count: number) => (count / (forMs / 1_000)).toFixed(0);
  const slowest = seconds(Math.max(...during.map(({ tookMs }) => tookMs)));
  return `${perSecond(during.length)} a second asked for, ${perSecond(madeIn(inTime(during, forMs)).length)} made (${share} %), the slowest answer after ${slowest}`;
}

type Overload = { name: string; during: readonly Sample[]; capacity: number; forMs: number; greedy: Key };

function judged(scene: Scene, { name, during, capacity, forMs, greedy }: Overload): Outcome[] {
  const limitMs = scene.patience * ANSWER_LIMIT_MS;
  const shares = scene.pick(SHARES.long, SHARES.short);
  const possible = (capacity * forMs) / 1_000;
  const made = madeIn(inTime(during, forMs)).length;
  const polite = during.filter(({ key }) => key !== greedy);
  return [
    must(
      `goodput (${name})`,
      `at least ${shares.goodput * 100} % of the possible quotes are made (${name})`,
      made >= shares.goodput * possible,
      `${made} of ${possible.toFixed(0)}`,
    ),
    rule(
      `answers_in_time (${name})`,
      `every answer is 201, or 429 or 503 as the contract says, within ${seconds(limitMs)} (${name})`,
      during,
      ({ status, tookMs, fault }) =>
        EXPECTED.includes(status) && tookMs <= limitMs && fault === null ? [] : [`${status} after ${seconds(tookMs)}, ${fault ?? ""}`],
    ),
    must(
      `polite_keys (${name})`,
      `keys that ask for little get at least ${shares.polite * 100} % of their quotes (${name})`,
      madeIn(polite).length >= shares.polite * polite.length,
      `${madeIn(polite).length} of ${polite.length}`,
    ),
  ];
}

function healthInTime({ patience }: Scene, tookMs: readonly number[]): Outcome {
  const limitMs = patience * HEALTH_LIMIT_MS;
  return rule("health_in_time", `/health answers within ${seconds(limitMs)}`, tookMs, (ms) => (ms <= limitMs ? [] : [seconds(ms)]));
}

const inMb = (looks: readonly Look[], of: (look: Look) => number) => looks.map((look) => (of(look) / 1_048_576).toFixed(0)).join(", ");
const memoryOf = (looks: readonly Look[]) =>
  `${inMb(looks, (look) => look.heldBytes)} MB held, ${inMb(looks, (look) => look.residentBytes)} MB resident`;

function memoryBounded(looks: readonly Look[]): Outcome {
  const [first = 0, ...others] = looks.map(({ heldBytes }) => heldBytes);
  const isBounded =
    Math.max(...others) <= first + MAY_HOLD_MORE_BYTES && looks.every(({ residentBytes }) => residentBytes <= MAY_RESIDE_BYTES);
  return must("memory_bounded", "the web process's memory is bounded", isBounded, memoryOf(looks));
}

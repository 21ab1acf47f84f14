import { setTimeout as sleep } from "node:timers/promises";
import { type BadReceiver, openBadReceivers } from "#fault/bad-receivers.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { rule } from "#fault/outcome.ts";
import { createPayment, inStreams } from "#fault/traffic.ts";
import { drained, factsOf, latenessTo } from "#fault/truth.ts";
import { inWorld, timeUntil, type World } from "#fault/world.ts";
import { operatorClient } from "#sandbox/client/partner.ts";
import { openReceiver, type Receiver } from "#sandbox/client/receiver.ts";

const LOOPS = 6;
const DRAIN_LIMIT_MS = 120_000;
const EXECUTED_WITHIN_MS = 120_000;
/** Longer than an attempt may take. A slow receiver gets few callbacks at once: in the worst case one after the other. */
const AN_ATTEMPT_MS = 45_000;
/** From the end of each attempt to the next one, in seconds, as documented for partners. */
const DELAYS = [60, 300, 1_800, 7_200, 43_200];
const LONGEST_ATTEMPT_MS = 33_000;

export const receivers: Experiment = {
  name: "receivers",
  breaks:
    "Receivers of eight bad kinds (gone, closes the connection, not HTTP, 500, 429, redirect, silence, one byte a second) next to many healthy ones, through all six attempts",
  judged:
    "healthy receivers get callbacks within 1 s (p99) while the others hang; permanently bad ones are given up after six attempts; no attempt takes longer than 33 s",
  async run(scene) {
    const counts = { healthy: scene.pick(200, 40), bad: scene.pick(20, 4) };
    return await inWorld(scene, { webs: 1, workers: 1 }, async (world) => {
      const bad = await openBadReceivers();
      const healthy = await Promise.all(Array.from({ length: counts.healthy }, () => openReceiver()));
      const all = [...bad.quick, ...bad.slow];
      try {
        await payTo(world, scene, { urls: all.map(({ url }) => url), each: counts.bad, name: "bad" });
        // Now all bad ones are tried for the first time, and the slow ones occupy their attempts.
        await payTo(world, scene, { urls: healthy.map(({ url }) => url), each: 1, name: "healthy" });
        await throughAllAttempts(world, scene, bad, counts.bad * AN_ATTEMPT_MS);
        return {
          counts: `${counts.healthy} healthy and ${all.length} bad receivers, ${counts.bad} settlements for each bad one`,
          facts: await judged(world, healthy, all),
        };
      } finally {
        for (const each of [...all, ...healthy]) await each.close();
      }
    });
  },
};

type Payment = { urls: readonly string[]; each: number; name: string };

/** Settlements until all are executed: their callbacks begin then. */
async function payTo(world: World, scene: Scene, { urls, each, name }: Payment): Promise<void> {
  const orders = scene.random.fork(name);
  await inStreams(urls.length * each, LOOPS, async (index) => {
    await createPayment(world, {
      random: orders.fork(String(index)),
      callbackUrl: urls[index % urls.length] ?? "",
      reference: `${name}-${index}`,
    });
  });
  const isOver = async () => (await world.database.sql`select 1 from settlements where status = 'processing'`).length === 0;
  if ((await timeUntil(isOver, EXECUTED_WITHIN_MS)) === null) throw new Error(`not all payments to ${name} receivers were executed`);
}

/** Moves the clock to each further attempt. In the short form the slow ones recover after the first, because each takes half a minute. */
async function throughAllAttempts(world: World, scene: Scene, { slow }: { slow: readonly BadReceiver[] }, withinMs: number): Promise<void> {
  const operator = operatorClient(world.webs[0] ?? "", world.stage.operator);
  for (const [index, seconds] of DELAYS.entries()) {
    await untilTried(world, index + 1, withinMs);
    if (scene.pick(index === DELAYS.length - 1, index === 0)) for (const each of slow.slice(0, scene.pick(1, slow.length))) each.recover();
    const moved = await operator.call("POST", "/sandbox/clock", { advance_seconds: seconds + 2 });
    if (moved.status !== 200) throw new Error(`the clock was not moved: ${moved.status} ${moved.text}`);
    scene.say(`attempt ${index + 2} is due`);
  }
  await untilTried(world, DELAYS.length + 1, withinMs);
}

/** Until everything unfinished has had this many attempts. */
async function untilTried(world: World, times: number, withinMs: number): Promise<void> {
  const isSo = async () => {
    const left = await world.database.sql`
      select 1 from callbacks c where state = 'pending' and (select count(*) from callback_attempts a
        where a.callback_id = c.id and a.ended_at is not null) < ${times} limit 1`;
    return left.length === 0;
  };
  if ((await timeUntil(isSo, withinMs)) === null) throw new Error(`attempt ${times} did not end everywhere`);
}

async function judged(world: World, healthy: readonly Receiver[], bad: readonly BadReceiver[]) {
  const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
  await sleep(500);
  const lateness = await Promise.all(healthy.map(({ url }) => latenessTo(world.database, new URL(url).origin)));
  const attempts = await world.database.sql<{ url: string; ms: number }[]>`
    select c.url, a.duration_ms as ms from callback_attempts a join callbacks c on c.id = a.callback_id where a.duration_ms is not null`;
  const hopeless = bad.filter(({ acknowledged }) => acknowledged.length === 0).map(({ url }) => url);
  const delivered = await world.database.sql<
    { id: string }[]
  >`select id from callbacks where url = any(${hopeless}) and state <> 'undelivered'`;
  const deliveries = [...healthy.flatMap((each) => each.deliveries), ...bad.flatMap((each) => each.acknowledged)];
  const own = [
    rule("attempts_end", "no attempt takes longer than 33 s", attempts, ({ url, ms }) =>
      ms <= LONGEST_ATTEMPT_MS ? [] : [`${url}: ${ms} ms`],
    ),
    rule("undelivered_in_the_end", "a receiver that never acknowledges is given up", [...delivered], ({ id }) => [`${id} is not`]),
  ];
  return await factsOf(world, NOTHING, { deliveries, drainedAfterMs, latenessMs: lateness.flat(), own });
}

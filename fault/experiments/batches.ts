import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { inUnits } from "#e2e/support/money.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { must, type Outcome, rule } from "#fault/outcome.ts";
import type { Random } from "#fault/random.ts";
import { createBody, inStreams, insist } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, type Kind, killOne, timeUntil, type World } from "#fault/world.ts";
import { partnerClient } from "#sandbox/client/partner.ts";

const BATCHES = "/api/v1/settlement-batches";
const STREAMS = 2;
const EVERY_MS = { least: 200, most: 1_600 };
const MOVES_WITHIN_MS = 20_000;
const DRAIN_LIMIT_MS = 300_000;
const TOKEN_DECIMALS = 6;

type Size = { batches: number; items: number };

export const batches: Experiment = {
  name: "batches",
  breaks: "Web processes, workers and the signer get SIGKILL at random moments, while batches are created, confirmed and paid",
  judged: "each item of each batch is paid once and called back; each batch has all of its items, ends completed, and says so once",
  async run(scene) {
    const size: Size = scene.pick({ batches: 20, items: 500 }, { batches: 3, items: 50 });
    return await inWorld(scene, { webs: 2, workers: 2 }, async (world) => {
      const kills = await underFire(world, scene, size);
      const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
      const own = [
        must("processes_killed", "processes were killed while batches were under way", kills > 0, `${kills} kills`),
        await batchesEnded(world, size),
      ];
      const facts = await factsOf(world, NOTHING, { interruptions: kills, websDied: true, drainedAfterMs, own });
      return { counts: `${size.batches} batches of ${size.items}, ${kills} kills`, facts };
    });
  },
};

/**
 * Kills from the first request until every item of every batch has ended. Between two kills something moves on, however slow the machine is:
 * a service that is always starting proves nothing.
 */
async function underFire(world: World, scene: Scene, { batches, items }: Size): Promise<number> {
  const orders = scene.random.fork("batches");
  let isOver = false;
  const pay = async () => {
    try {
      await inStreams(batches, STREAMS, (index) => payBatch(world, { random: orders.fork(String(index)), name: `batch-${index}`, items }));
      await drained(world.database, DRAIN_LIMIT_MS);
    } finally {
      isOver = true;
    }
  };
  let kills = 0;
  const kill = async () => {
    while (!isOver) {
      const before = await progressOf(world);
      await sleep(EVERY_MS.least + scene.random.below(EVERY_MS.most - EVERY_MS.least));
      await timeUntil(async () => isOver || (await progressOf(world)) !== before, MOVES_WITHIN_MS);
      if (isOver || !killOne(scene.random.pick<Kind>(["web", "worker", "signer"]), scene)) continue;
      kills += 1;
      if (kills % 10 === 0) scene.say(`${await progressOf(world)} (settlements, executed, called back), ${kills} kills`);
    }
  };
  await Promise.all([pay(), kill()]);
  return kills;
}

/** How far the batches are. */
async function progressOf({ database }: World): Promise<string> {
  const [row] = await database.sql<{ made: number; executed: number; called: number }[]>`
    select count(*)::int as made, count(*) filter (where status = 'executed')::int as executed,
      (select count(*)::int from callbacks where state = 'delivered') as called
    from settlements`;
  return `${row?.made}, ${row?.executed}, ${row?.called}`;
}

const created = z.object({
  batch_id: z.string(),
  items: z.array(z.object({ tx_id: z.string(), wallet_address: z.string(), destination_amount: z.number() })).optional(),
});

/** A lost answer is asked for again, and a batch that exists is answered with 200. */
async function payBatch(world: World, { random, name, items }: { random: Random; name: string; items: number }): Promise<void> {
  const callbackUrl = world.receiver.url;
  const all = Array.from({ length: items }, (_, index) =>
    createBody(world, random.fork(String(index)), { external_tx_id: `${name}-${index}`, callback_url: callbackUrl }),
  );
  const { credentials } = world.stage;
  const body = { external_batch_id: name, items: all, callback_url: callbackUrl };
  const answer = await insist(world, "create batch", [200, 201], (url) => partnerClient(url, credentials).post(BATCHES, body));
  const { batch_id, items: quoted = [] } = created.parse(JSON.parse(answer.text));
  await insist(world, "confirm batch", [200], (url) => partnerClient(url, credentials).post(`${BATCHES}/${batch_id}/confirm`, {}));
  for (const { tx_id, wallet_address, destination_amount } of quoted)
    world.history.owed.push({
      id: tx_id,
      wallet: wallet_address,
      amountBase: inUnits(String(destination_amount), TOKEN_DECIMALS),
      callbackUrl,
    });
}

/** Nothing of a batch is missing, nothing is left over, and `batch.completed` exists once. */
async function batchesEnded({ database, history }: World, { batches, items }: Size): Promise<Outcome> {
  const rows = await database.sql<{ id: string; status: string; executed: number; callbacks: number }[]>`
    select b.id, b.status,
      (select count(*)::int from settlements s where s.batch_id = b.id and s.status = 'executed') as executed,
      (select count(*)::int from callbacks c where c.subject_id = b.id and c.event = 'batch.completed') as callbacks
    from settlement_batches b`;
  const wrong = rule("batches_complete", "each batch is completed with all of its items, and says so once", rows, (batch) =>
    batch.status === "completed" && batch.executed === items && batch.callbacks === 1
      ? []
      : [`${batch.id} is ${batch.status} with ${batch.executed} executed items and ${batch.callbacks} callbacks`],
  );
  const sums = [
    [rows.length, batches, "batches"],
    [history.owed.length, batches * items, "confirmed items"],
  ] as const;
  const counted = sums.filter(([found, wanted]) => found !== wanted).map(([found, wanted, what]) => `${found} ${what}, not ${wanted}`);
  return { ...wrong, checked: wrong.checked + sums.length, violations: [...wrong.violations, ...counted] };
}

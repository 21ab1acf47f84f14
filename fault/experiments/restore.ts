import { setTimeout as sleep } from "node:timers/promises";
import type { BenchServer } from "#bench/database.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { NEEDED, startPgbackrestServer } from "#fault/servers/pgbackrest.ts";
import { lackOf } from "#fault/servers/programs.ts";
import { inLanes, owe } from "#fault/traffic.ts";
import { drained, factsOf, paymentsOn } from "#fault/truth.ts";
import { inWorld, type World } from "#fault/world.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { listOpenHalts } from "#server/services/halts/halt-lane.ts";
import { liftHalt } from "#server/services/halts/lift-halt.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { bookComparison } from "#server/services/treasury/book-comparison.ts";
import { compareTreasury } from "#server/services/treasury/compare-treasury.ts";
import { addProvenPerson } from "#testing/people.ts";

const LANES = 6;
const WALLETS = 2;
const DRAIN_LIMIT_MS = 120_000;
/** So long a restored service is watched: had it paid again, it would have by then. */
const WATCHED_MS = 10_000;

const JUDGED =
  "nothing is paid again, the wallets stand, comparing with the chain finds exactly the lost payments, and once two people have booked them everything ends well";

export const restore: Experiment = {
  name: "restore",
  breaks: "The database comes back as it was before a number of payments; the service starts on it and partners go on",
  judged: JUDGED,
  run: (scene) => comeBack(scene),
};

export const restorePgbackrest: Experiment = {
  name: "restore-pgbackrest",
  breaks:
    "The same with pgBackRest: a full backup, the archive of what was written since, and the whole server brought back to a moment between them, by the files of `ops/database`",
  judged: JUDGED,
  lacks: () => lackOf(NEEDED),
  async run(scene) {
    const server = await startPgbackrestServer();
    try {
      return await comeBack({ ...scene, server });
    } finally {
      await server.stop();
    }
  },
};

/** By the backup that the scene's server keeps. */
async function comeBack(scene: Scene & { server: BenchServer }): Promise<Run> {
  const counts = { before: scene.pick(100, 15), lost: scene.pick(200, 20), after: scene.pick(100, 15) };
  return await inWorld(scene, { webs: 0, workers: 0 }, async (world) => {
    const receiver = await openReceiver();
    try {
      const pay = (name: string, count: number) => payAll(world, scene, { name, count, callbackUrl: receiver.url });
      const web = await startWeb(world);
      let worker = await world.stage.startWorker(WALLETS);
      await pay("before", counts.before);
      await drained(world.database, DRAIN_LIMIT_MS);
      await worker.stop();
      await pay("lost", counts.lost);
      await web.stop();
      const bringBack = await scene.server.keepBackup(world.database);
      worker = await world.stage.startWorker(WALLETS);
      await drained(world.database, DRAIN_LIMIT_MS);
      await worker.stop();
      const [known, paid] = [receiver.deliveries.length, await paymentsOn(world)];
      await bringBack();
      scene.say(`${paid.length} payments are on the chain, and the database is back as it was before ${counts.lost} of them`);
      // Once the worker has halted the wallets nobody gets a quote: what is confirmed before that must not go out either.
      await startWeb(world);
      await pay("after", counts.after);
      await world.stage.startWorker(WALLETS);
      await sleep(WATCHED_MS);
      const again = (await paymentsOn(world)).length - paid.length;
      const found = await mend(world);
      const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
      const own = [
        must("pays_nothing_again", "the restored service pays nothing before people have looked", again === 0, `${again} payments`),
        must("wallets_stand", "every wallet that has paid stands", found.halts === WALLETS, `${found.halts} of ${WALLETS}`),
        must(
          "all_is_found",
          "comparing with the chain finds each lost payment, and nothing else",
          found.paid === counts.lost && found.unexplained === 0,
          JSON.stringify(found),
        ),
        must("two_people", "nothing is booked or goes on by one person's word", found.alone === 0, `${found.alone} were`),
      ];
      // Of what was told between backup and restore the restored database knows nothing.
      const deliveries = receiver.deliveries.filter((_, index) => index < counts.before || index >= known);
      const facts = await factsOf(world, NOTHING, { deliveries, drainedAfterMs, own });
      return {
        counts: `${counts.before} settlements before the backup, ${counts.lost} paid after it, ${counts.after} after the restore`,
        facts,
      };
    } finally {
      await receiver.close();
    }
  });
}

async function startWeb(world: World) {
  const web = await world.stage.startWeb();
  world.webs.splice(0, world.webs.length, web.baseUrl);
  return web;
}

type Batch = { name: string; count: number; callbackUrl: string };

async function payAll(world: World, scene: Scene, { name, count, callbackUrl }: Batch): Promise<void> {
  const orders = scene.random.fork(name);
  await inLanes(count, LANES, (index) => owe(world, { random: orders.fork(String(index)), callbackUrl, reference: `${name}-${index}` }));
}

/** What the runbook asks people to do, as in live mode: one compares, books and lifts, and another one says yes to each. */
async function mend({ database: { db }, stage }: World) {
  const ctx = { db, evm: stage.evm, chains: stage.evm, mode: "live" as const, clock: { now: () => new Date() } };
  const [one, other] = [await addProvenPerson(db, "admin"), await addProvenPerson(db, "admin")];
  const confirm = (id: string) => confirmProposal(ctx, { by: other.by, id });
  const compared = await compareTreasury(ctx);
  const paid = compared.flatMap((each) => each.paid);
  const booked = await bookComparison(ctx, { by: one.by, paid });
  for (const { outcome, detail } of booked) if (outcome === "proposed" && detail !== null) await confirm(detail);
  const halts = await listOpenHalts(ctx);
  const lifts = [];
  for (const { id } of halts)
    lifts.push(await liftHalt(ctx, { by: one.by, haltId: id, reason: "restored from a backup, compared and booked" }));
  for (const { proposal } of lifts) await confirm(proposal.id);
  const alone = booked.filter(({ outcome }) => outcome === "booked").length + lifts.filter(({ result }) => result !== null).length;
  return { halts: halts.length, paid: paid.length, unexplained: compared.flatMap((each) => each.unexplained).length, alone };
}

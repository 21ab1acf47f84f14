import { setTimeout as sleep } from "node:timers/promises";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { inLanes, owe } from "#fault/traffic.ts";
import { drained, factsOf, paymentsOn } from "#fault/truth.ts";
import { inWorld, type World } from "#fault/world.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { inNameOf } from "#scripts/wired.ts";
import { listOpenHalts } from "#server/services/halts/halt-lane.ts";
import { liftHalt } from "#server/services/halts/lift-halt.ts";
import { bookComparison } from "#server/services/treasury/book-comparison.ts";
import { compareTreasury } from "#server/services/treasury/compare-treasury.ts";

const LANES = 6;
const WALLETS = 2;
const DRAIN_LIMIT_MS = 120_000;
/** So long a restored service is watched: had it paid again, it would have by then. */
const WATCHED_MS = 10_000;

export const restore: Experiment = {
  name: "restore",
  breaks: "The database comes back as it was before a number of payments; the service starts on it and partners go on",
  judged:
    "nothing is paid again, the wallets stand, comparing with the chain finds exactly the lost payments, and once they are booked everything ends well",
  async run(scene) {
    const counts = { before: scene.pick(100, 15), lost: scene.pick(200, 20), after: scene.pick(100, 15) };
    return await inWorld(scene, { webs: 0, workers: 0 }, async (world) => {
      const receiver = await openReceiver();
      try {
        const pay = (name: string, count: number) => payAll(world, scene, { name, count, callbackUrl: receiver.url });
        let service = await start(world);
        await pay("before", counts.before);
        await drained(world.database, DRAIN_LIMIT_MS);
        await service.worker.stop();
        await pay("lost", counts.lost);
        await service.web.stop();
        const bringBack = await scene.server.keepBackup(world.database);
        const worker = await world.stage.startWorker(WALLETS);
        await drained(world.database, DRAIN_LIMIT_MS);
        await worker.stop();
        const [known, paid] = [receiver.deliveries.length, await paymentsOn(world)];
        await bringBack();
        service = await start(world);
        await pay("after", counts.after);
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
  },
};

async function start(world: World) {
  const web = await world.stage.startWeb();
  world.webs.splice(0, world.webs.length, web.baseUrl);
  return { web, worker: await world.stage.startWorker(WALLETS) };
}

type Batch = { name: string; count: number; callbackUrl: string };

async function payAll(world: World, scene: Scene, { name, count, callbackUrl }: Batch): Promise<void> {
  const orders = scene.random.fork(name);
  await inLanes(count, LANES, (index) => owe(world, { random: orders.fork(String(index)), callbackUrl, reference: `${name}-${index}` }));
}

/** What the runbook asks people to do: compare, book, lift. */
async function mend({ database: { db }, stage }: World) {
  const ctx = { db, evm: stage.evm, mode: "sandbox" as const, clock: { now: () => new Date() } };
  const by = await inNameOf(db, stage.admin.email);
  const compared = await compareTreasury(ctx);
  const paid = compared.flatMap((one) => one.paid);
  await bookComparison(ctx, { by, paid });
  const halts = await listOpenHalts(ctx);
  for (const { id } of halts) await liftHalt(ctx, { by, haltId: id, reason: "restored from a backup, compared and booked" });
  return { halts: halts.length, paid: paid.length, unexplained: compared.flatMap((one) => one.unexplained).length };
}

import { setTimeout as sleep } from "node:timers/promises";
import { judgeAs, NOTHING } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { repairLapsing } from "#fault/repair.ts";
import { drained, factsOf, paymentsOn } from "#fault/truth.ts";
import { inWorld, onNetwork, timeUntil, type World } from "#fault/world.ts";
import type { Family } from "#sandbox/settings.ts";
import { payAll, startWeb } from "./restore.ts";

const DRAIN_LIMIT_MS = 240_000;
/** So long a restored service is watched: had it paid again, it would have by then. */
const WATCHED_MS = 12_000;
const SENT_WITHIN_MS = 90_000;

/** What became of the payments that the restored database does not know: they are in final blocks, wait for one, or have expired. */
const FATES = ["paid", "waiting", "expired"] as const;
type Fate = (typeof FATES)[number];

/** The database is put back while a network whose payments lapse is ahead. */
export function restoreOn(family: Family): Experiment {
  return {
    name: `restore-${family}`,
    breaks: `The database is restored to a state before some payments; the service starts on it and partners continue. Once the lost payments are in final blocks, once they wait for a block, once they expire before anybody looks${onNetwork(family)}`,
    judged:
      "nothing is paid again, the chain is halted by the signing journal; after two people have lifted the halt, what is on the chain ends and what expired is made again: each is paid once",
    async run(scene) {
      const runs = [];
      for (const fate of scene.pick<readonly Fate[]>(FATES, ["paid"])) runs.push([fate, await comeBack(scene, family, fate)] as const);
      const last = runs.at(-1)?.[1];
      if (last === undefined) throw new Error("nothing was run");
      const own = runs.slice(0, -1).flatMap(([fate, run]) => judgeAs(fate, run.facts, scene.patience));
      return { counts: runs.map(([, { counts }]) => counts).join("; "), facts: { ...last.facts, own: [...own, ...last.facts.own] } };
    },
  };
}

async function comeBack(scene: Scene, family: Family, fate: Fate): Promise<Run> {
  const counts = { before: scene.pick(20, 2), lost: scene.pick(40, 4), after: scene.pick(20, 2) };
  return await inWorld(scene, { webs: 0, workers: 0, family }, async (world) => {
    const { network } = world.stage;
    if (network === null) throw new Error("there is no network");
    const env = world.altered?.env ?? {};
    const pay = (name: string, count: number) => payAll(world, { ...scene, random: scene.random.fork(fate) }, { name, count });
    const web = await startWeb(world);
    let worker = await world.stage.startWorker(2, env);
    await pay("before", counts.before);
    await drained(world.database, DRAIN_LIMIT_MS);
    await worker.stop();
    await pay("lost", counts.lost);
    await web.stop();
    const bringBack = await scene.server.keepBackup(world.database);
    if (fate !== "paid") await network.hold();
    worker = await world.stage.startWorker(2, env);
    await (fate === "paid" ? drained(world.database, DRAIN_LIMIT_MS) : allSent(world, counts.lost));
    await worker.stop();
    const known = world.receiver.deliveries.length;
    await bringBack();
    scene.say(`${counts.lost} payments are ${fate}, and the database is back as it was before them`);
    await startWeb(world);
    await pay("after", counts.after);
    if (fate === "waiting") await network.release();
    if (fate === "expired") await network.passExpiry();
    await timeUntil(async () => fate !== "waiting" || (await paymentsOn(world)).length >= counts.before + counts.lost, SENT_WITHIN_MS, 500);
    const paid = (await paymentsOn(world)).length;
    await world.stage.startWorker(2, env);
    await sleep(WATCHED_MS);
    const again = (await paymentsOn(world)).length - paid;
    const found = await repairLapsing({ db: world.database.db, evm: world.stage.evm });
    const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
    const own = [
      must("no_payment_before_review", "the restored service pays nothing before people have looked", again === 0, `${again} payments`),
      must("journal_halts", "the signing journal knows more than the restored database, and halts the chain", found.isBehind, "it did not"),
      must("two_people", "one person alone cannot resume anything", found.alone === 0, `${found.alone} were`),
      must(
        "halted_once",
        "once people have lifted the halt, the same loss does not halt again",
        (await repairLapsing({ db: world.database.db, evm: world.stage.evm })).halts === 0,
        "it did",
      ),
    ];
    // The restored database knows nothing about the callbacks sent between backup and restore.
    const deliveries = world.receiver.deliveries.filter((_, index) => index < counts.before || index >= known);
    const facts = await factsOf(world, NOTHING, { deliveries, drainedAfterMs, own });
    return {
      counts: `${counts.before} settlements before the backup, ${counts.lost} ${fate} after it, ${counts.after} after the restore`,
      facts,
    };
  });
}

/** Waits until this many payments were handed to the nodes. */
async function allSent({ database: { sql } }: World, count: number): Promise<void> {
  const isSo = async () => (await sql`select 1 from lapsing_attempts where state = 'sent'`).length >= count;
  if ((await timeUntil(isSo, SENT_WITHIN_MS)) === null) throw new Error("the payments were not sent");
}

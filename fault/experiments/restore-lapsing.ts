import { setTimeout as sleep } from "node:timers/promises";
import { judgeAs, NOTHING } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { must, type Outcome } from "#fault/outcome.ts";
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
      "nothing is paid again, the chain is halted by the signing journal; after two people have lifted the halt, what is on the chain ends and what expired is made again: each is paid once; the comparison with the journal finds exactly what was lost, and two people book what nobody owes any more",
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

type Counts = { before: number; lost: number; gone: number; after: number };

async function comeBack(scene: Scene, family: Family, fate: Fate): Promise<Run> {
  const counts = { before: scene.pick(20, 2), lost: scene.pick(40, 4), gone: 2, after: scene.pick(20, 2) };
  return await inWorld(scene, { webs: 0, workers: 0, family }, async (world) => {
    const env = world.altered?.env ?? {};
    const { gone, known } = await goAhead(world, scene, { counts, fate, env });
    await timeUntil(async () => fate !== "waiting" || (await paymentsOn(world)).length >= allBefore(counts), SENT_WITHIN_MS, 500);
    const paid = (await paymentsOn(world)).length;
    await world.stage.startWorker(2, env, env);
    await sleep(WATCHED_MS);
    const again = (await paymentsOn(world)).length - paid;
    const found = await repairLapsing(world);
    const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
    const own = judged(counts, { found, again, halts: (await repairLapsing(world)).halts });
    // The restored database knows nothing about the callbacks sent between backup and restore.
    const deliveries = world.receiver.deliveries.filter((_, index) => index < counts.before || index >= known);
    const payments = (await paymentsOn(world)).filter(({ wallet }) => !gone.includes(wallet.toLowerCase()));
    const facts = await factsOf(world, NOTHING, { deliveries, drainedAfterMs, payments, own });
    const { before, lost, after } = counts;
    const what = `${before} settlements before the backup, ${lost} ${fate} after it, ${counts.gone} confirmed after it, ${after} after the restore`;
    return { counts: what, facts };
  });
}

const allBefore = ({ before, lost, gone }: Counts) => before + lost + gone;

type Ahead = { counts: Counts; fate: Fate; env: Readonly<Record<string, string>> };

/** The network goes on after the backup, and then the backup comes back. `gone`: whom payments went to that nobody owes any more. */
async function goAhead(world: World, scene: Scene, { counts, fate, env }: Ahead): Promise<{ gone: string[]; known: number }> {
  const { network } = world.stage;
  if (network === null) throw new Error("there is no network");
  const pay = (name: string, count: number) => payAll(world, { ...scene, random: scene.random.fork(fate) }, { name, count });
  const web = await startWeb(world);
  let worker = await world.stage.startWorker(2, env, env);
  await pay("before", counts.before);
  await drained(world.database, DRAIN_LIMIT_MS);
  await worker.stop();
  await pay("lost", counts.lost);
  await web.stop();
  const bringBack = await scene.server.keepBackup(world.database);
  if (fate !== "paid") await network.hold();
  const owed = world.history.owed.length;
  const second = await startWeb(world);
  await pay("gone", counts.gone);
  await second.stop();
  const gone = world.history.owed.splice(owed).map(({ wallet }) => wallet.toLowerCase());
  worker = await world.stage.startWorker(2, env, env);
  await (fate === "paid" ? drained(world.database, DRAIN_LIMIT_MS) : allSent(world, counts.lost + counts.gone));
  await worker.stop();
  const known = world.receiver.deliveries.length;
  await bringBack();
  scene.say(`${counts.lost} payments are ${fate}, and the database is back as it was before them`);
  await startWeb(world);
  await pay("after", counts.after);
  if (fate === "waiting") await network.release();
  if (fate === "expired") await network.passExpiry();
  return { gone, known };
}

type Seen = { found: Awaited<ReturnType<typeof repairLapsing>>; again: number; halts: number };

function judged({ lost, gone }: Counts, { found, again, halts }: Seen): Outcome[] {
  return [
    must("no_payment_before_review", "the restored service pays nothing before people have looked", again === 0, `${again} payments`),
    must("journal_halts", "the signing journal knows more than the restored database, and halts the chain", found.isBehind, "it did not"),
    must(
      "lost_payments_found",
      "comparing the journal with the database finds each lost payment, and each that nobody owes any more",
      found.lost === lost && found.gone === gone,
      JSON.stringify(found),
    ),
    must("two_people", "one person alone cannot book or resume anything", found.alone === 0, `${found.alone} were`),
    must("halted_once", "once people have lifted the halt, the same loss does not halt again", halts === 0, "it did"),
  ];
}

/** Waits until this many payments were handed to the nodes. */
async function allSent({ database: { sql } }: World, count: number): Promise<void> {
  const isSo = async () => (await sql`select 1 from lapsing_attempts where state = 'sent'`).length >= count;
  if ((await timeUntil(isSo, SENT_WITHIN_MS)) === null) throw new Error("the payments were not sent");
}

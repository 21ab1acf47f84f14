import { setTimeout as sleep } from "node:timers/promises";
import { tokenTransfer } from "#domain/evm-intent.ts";
import { judgeAs, NOTHING } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { must, type Outcome } from "#fault/outcome.ts";
import { haltedWallets, repair } from "#fault/repair.ts";
import { restoredOrders } from "#fault/restored-orders.ts";
import { NEEDED, startPgbackrestServer } from "#fault/servers/pgbackrest.ts";
import { lackOf } from "#fault/servers/programs.ts";
import { createPayment, inStreams } from "#fault/traffic.ts";
import { drained, factsOf, paymentsOn } from "#fault/truth.ts";
import { inWorld, timeUntil, type World } from "#fault/world.ts";
import type { BenchServer } from "#testing/stage/database.ts";
import { newAddress } from "#testing/transfers.ts";

const LOOPS = 6;
const GONE_BASE = 1_500_000n;
const DRAIN_LIMIT_MS = 120_000;
/** So long a restored service is watched: had it paid again, it would have by then. */
const WATCHED_MS = 10_000;
/** An unknown transaction is found within some 20 seconds, however little is due. */
const HALT_LIMIT_MS = 60_000;

const JUDGED =
  "nothing is paid again, the wallets that paid and their chain are halted, the comparison with the chain finds exactly the lost payments, and everything completes once two people have booked them, and the finally lost ones as a loss";

export const restore: Experiment = {
  name: "restore",
  breaks:
    "The database is restored to a state before some payments; the service starts on it and partners continue. The same with one lost payment, and with lost payments that are in no block yet; with one, two and three wallets; with a settlement, a top-up and a withdrawal at every step of their worker",
  judged: JUDGED,
  async run(scene) {
    const one = await comeBack(scene, { before: 2, lost: 1, gone: 1, after: 4, isPooled: false, wallets: 1 });
    const pooled = await comeBack(scene, { before: 2, lost: scene.pick(60, 6), gone: 0, after: 4, isPooled: true, wallets: 3 });
    const orders = await restoredOrders(scene);
    const own = [...judgeAs("in the pool", pooled.facts, scene.patience), ...orders.own];
    const few = {
      counts: [one, pooled, orders].map(({ counts }) => counts).join("; "),
      facts: { ...one.facts, own: [...one.facts.own, ...own] },
    };
    if (scene.pick(false, true)) return few;
    const most = await comeBack(scene, { before: 100, lost: 200, gone: 3, after: 100, isPooled: false, wallets: 2 });
    const all = [...judgeAs("one lost", one.facts, scene.patience), ...own, ...most.facts.own];
    return { counts: `${few.counts}; ${most.counts}`, facts: { ...most.facts, own: all } };
  },
};

export const restorePgbackrest: Experiment = {
  name: "restore-pgbackrest",
  breaks:
    "The same with pgBackRest: a full backup, the archived write-ahead log since, and the whole server restored to a point in between, configured by the files of `ops/database`",
  judged: `${JUDGED}; and nothing in the repository can be read without its passphrase`,
  lacks: () => lackOf(NEEDED),
  async run(scene) {
    const server = await startPgbackrestServer();
    const counts = { before: scene.pick(100, 15), lost: scene.pick(200, 20), gone: 3, after: scene.pick(100, 15) };
    try {
      const run = await comeBack({ ...scene, server }, { ...counts, isPooled: false, wallets: 2 });
      const { files, readable } = server.kept();
      const title = "every file of the backup and the archive is encrypted";
      const sealed = must("backup_encrypted", title, files > 0 && readable.length === 0, readable.join(", ") || "there is none");
      const [without, wrong] = [await server.restoresWithout(null), await server.restoresWithout("another")];
      const refused = without.said.includes("requires option: repo1-cipher-pass") && wrong.said.includes("unable to load info file");
      const held = refused && !without.restored && !wrong.restored;
      const needed = must("passphrase_needed", "no restore works without the passphrase, or with another", held, without.said);
      return { ...run, facts: { ...run.facts, own: [...run.facts.own, sealed, needed] } };
    } finally {
      await server.stop();
    }
  },
};

/**
 * How many settlements there are, and whether the lost payments are in no block when the service starts again. `gone`: payments of which
 * the restored database does not even know that they were owed, as of settlements that were made after the backup.
 */
type Case = { before: number; lost: number; gone: number; after: number; isPooled: boolean; wallets: number };

/** From the backup of the scene's server. */
async function comeBack(scene: Scene & { server: BenchServer }, { isPooled, wallets, ...counts }: Case): Promise<Run> {
  return await inWorld(scene, { webs: 0, workers: 0 }, async (world) => {
    const pay = (name: string, count: number) => payAll(world, scene, { name, count });
    const web = await startWeb(world);
    let worker = await world.stage.startWorker(wallets);
    await pay("before", counts.before);
    await drained(world.database, DRAIN_LIMIT_MS);
    await worker.stop();
    await pay("lost", counts.lost);
    await web.stop();
    const bringBack = await scene.server.keepBackup(world.database);
    if (isPooled) await stopBlocks(world);
    worker = await world.stage.startWorker(wallets);
    await (isPooled ? allSent(world, counts.lost) : drained(world.database, DRAIN_LIMIT_MS));
    await worker.stop();
    const payers = await payersOf(world);
    const gone = await payUnknown(world, payers[0] ?? "", counts.gone);
    const [known, paid] = [world.receiver.deliveries.length, (await paymentsOn(world)).length];
    await bringBack();
    scene.say(`${counts.lost} payments are ${isPooled ? "in the pool" : "on the chain"}, and the database is back as it was before them`);
    // Once the worker has halted the wallets nobody gets a quote: what is confirmed before that must not go out either.
    await startWeb(world);
    await pay("after", counts.after);
    await world.stage.startWorker(wallets);
    await sleep(WATCHED_MS);
    if (isPooled) {
      await startBlocks(world);
      await sleep(WATCHED_MS);
    }
    await timeUntil(async () => (await haltedWallets(world.database.db)).length >= payers.length, HALT_LIMIT_MS);
    const again = (await paymentsOn(world)).length - paid - (isPooled ? counts.lost : 0);
    const found = await repair({ db: world.database.db, evm: world.stage.evm });
    const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
    const own = judged(found, { again, halted: payers.length, lost: counts.lost, gone: gone.length });
    // The restored database knows nothing about the callbacks sent between backup and restore.
    const deliveries = world.receiver.deliveries.filter((_, index) => index < counts.before || index >= known);
    const payments = (await paymentsOn(world)).filter(({ wallet }) => !gone.includes(wallet));
    const facts = await factsOf(world, NOTHING, { deliveries, drainedAfterMs, payments, own });
    const where = isPooled ? "sent after it" : "paid after it";
    return {
      counts: `${counts.before} settlements before the backup, ${counts.lost} ${where}, ${gone.length} payments gone, ${counts.after} after the restore`,
      facts,
    };
  });
}

type Repaired = Awaited<ReturnType<typeof repair>>;

function judged(found: Repaired, { again, halted, lost, gone }: { again: number; halted: number; lost: number; gone: number }): Outcome[] {
  return [
    must("no_payment_before_review", "the restored service pays nothing before people have looked", again === 0, `${again} payments`),
    must("journal_halts", "the signing journal knows more than the restored database, and halts the chain", found.isBehind, "it did not"),
    must("wallets_halted", "every wallet that has paid is halted", found.halts === halted, `${found.halts} of ${halted}`),
    must(
      "lost_payments_found",
      "comparing with the chain finds each lost payment and each that is gone for good, and nothing else",
      found.paid === lost && found.unexplained === gone,
      JSON.stringify(found),
    ),
    must("two_people", "one person alone cannot book or resume anything", found.alone === 0, `${found.alone} were`),
  ];
}

const stopBlocks = ({ stage }: World) => stage.chain.call("evm_setIntervalMining", 0);
const startBlocks = ({ stage }: World) => stage.chain.call("evm_setIntervalMining", 1);

/** Waits until this many payments are in the nodes' pools, and in no block. */
async function allSent({ database: { sql } }: World, count: number): Promise<void> {
  const isSo = async () =>
    (
      await sql`
    select 1 from transfers t left join pack_members m on m.transfer_id = t.id and m.outcome is null left join transfers p on p.id = m.pack_id
    where t.purpose = 'settlement' and coalesce(p.state, t.state) = 'broadcast'`
    ).length === count;
  if ((await timeUntil(isSo, DRAIN_LIMIT_MS)) === null) throw new Error("the payments were not sent");
}

/** The wallets that have sent what the database is about to lose: what was queued at the backup. */
async function payersOf({ database: { sql } }: World): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`
    select distinct w.address from transactions x join wallets w on w.id = x.wallet_id left join pack_members m on m.pack_id = x.transfer_id
      join transfers t on t.id = coalesce(m.transfer_id, x.transfer_id) join settlements s on s.id = t.owner_id where s.external_tx_id like 'lost-%'`;
  return rows.map(({ address }) => address);
}

/** Payments by a wallet that no database ever knew, in a block; answers whom they paid. */
async function payUnknown(world: World, from: string, count: number): Promise<string[]> {
  const { chain } = world.stage;
  const wallets = Array.from({ length: count }, () => newAddress().toLowerCase());
  await chain.call("anvil_impersonateAccount", from);
  for (const wallet of wallets) {
    const { to, data } = tokenTransfer(chain.tokens.USDT, wallet, GONE_BASE);
    await chain.call("eth_sendTransaction", { from, to, data });
  }
  await chain.call("anvil_stopImpersonatingAccount", from);
  const areThere = async () => (await paymentsOn(world)).filter(({ wallet }) => wallets.includes(wallet)).length === count;
  if ((await timeUntil(areThere, DRAIN_LIMIT_MS)) === null) throw new Error("the unknown payments came into no block");
  return wallets;
}

/** The world's only web process. */
export async function startWeb(world: World) {
  const web = await world.stage.startWeb();
  world.webs.splice(0, world.webs.length, web.baseUrl);
  return web;
}

type Batch = { name: string; count: number };

/** Settlements from a partner's programs, confirmed. */
export async function payAll(world: World, scene: Scene, { name, count }: Batch): Promise<void> {
  const orders = scene.random.fork(name);
  await inStreams(count, LOOPS, (index) => createPayment(world, { random: orders.fork(String(index)), reference: `${name}-${index}` }));
}

import { type Heard, NOTHING, type Owed } from "#fault/checker.ts";
import { type CrashStage, type Engine, openCrashStage, POINTS } from "#fault/crash-stage.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { alike, must, type Outcome, rule } from "#fault/outcome.ts";
import { audited, heardBy, knownTo, paymentsOn } from "#fault/truth.ts";
import { packedIn } from "#fault/world.ts";
import { Died } from "#testing/death.ts";

/** Pairs per engine in the short form. */
const SAMPLE = 2;
/** Passes of a process that will die, and of one that lives until everything is done. */
const DOOMED_PASSES = 12;
const LIVING_PASSES = 60;
/** So many passes without a block let a higher fee fall due. */
const WITHOUT_A_BLOCK = 3;
/** More blocks than any of its runs takes: a chain shorter than what was read is a lagging one. */
const FORK_BLOCKS = 80;
const A_WHILE_MS = 3_700_000;

type Pair = { engine: Engine; first: string; second: string };

export const crashPoints: Experiment = {
  name: "crash-points",
  breaks:
    "A worker dies at a step of an engine (payments, higher fees, nonces that a reorg took back, callbacks, fiat orders, Safes), and the next one dies at another step: every step of every engine, alone and in pairs",
  judged: "each settlement is paid and called back once, each order and each Safe completes; every step was reached",
  async run(scene) {
    return await scene.server.withDatabase(async (database) => {
      const stage = await openCrashStage(database, scene.packing);
      try {
        const run = await inPairs(stage, scene);
        if (scene.packing) scene.note(await packedIn(stage));
        return run;
      } finally {
        await stage.close();
      }
    });
  },
};

/** All of them in the long form; in the short one each step first once, and some of the pairs. */
function choose(scene: Scene): Pair[] {
  const engines = Object.keys(POINTS) as Engine[];
  return engines.flatMap((engine) => {
    const points: readonly string[] = POINTS[engine];
    const pairs = points.flatMap((first) => points.map((second) => ({ engine, first, second })));
    const random = scene.random.fork(engine);
    const sample = random.shuffled(pairs).slice(0, SAMPLE);
    const each = points.map((first) => ({ engine, first, second: random.pick(points) }));
    return scene.pick(pairs, [...each, ...sample]);
  });
}

type Asked = { owed: Owed[]; topups: string[]; withdrawals: string[]; safes: string[] };

async function inPairs(stage: CrashStage, scene: Scene) {
  const pairs = choose(scene);
  const all: Asked = { owed: [], topups: [], withdrawals: [], safes: [] };
  const met = new Map<string, number>();
  const unfinished: string[] = [];
  const heard: Heard[] = [];
  let deaths = 0;
  for (const [index, pair] of pairs.entries()) {
    if (index % 20 === 0) scene.say(`${index} of ${pairs.length} pairs, ${deaths} deaths`);
    if (pair.engine === "forks") await meetFork(stage, all);
    else await askFor(stage, pair.engine, all);
    for (const point of [pair.first, pair.second]) {
      if (!(await runToDeath(stage, pair, point))) continue;
      deaths += 1;
      met.set(point, (met.get(point) ?? 0) + 1);
    }
    if (!(await runToEnd(stage))) unfinished.push(`${pair.engine}: ${pair.first}, ${pair.second}`);
    heard.push(...hear(stage, heard.length));
  }
  const points = Object.values(POINTS).flat();
  const own = [
    rule("every_step_covered", "a worker died at every step", points, (point) => (met.has(point) ? [] : [`no worker died at ${point}`])),
    rule("completed", "all work completes after each pair of deaths", pairs, ({ engine, first, second }) =>
      unfinished.includes(`${engine}: ${first}, ${second}`) ? [`not after ${engine}: ${first}, ${second}`] : [],
    ),
    ...(await othersEnded(stage, all)),
  ];
  const counts = `${points.length} steps, ${pairs.length} pairs, ${deaths} deaths, ${all.owed.length} settlements, ${all.topups.length + all.withdrawals.length} fiat orders, ${all.safes.length} Safes`;
  return { counts, facts: { ...NOTHING, ...(await witnessed(stage, all.owed)), heard, interruptions: deaths, own } };
}

async function askFor(stage: CrashStage, engine: Engine, all: Asked): Promise<void> {
  if (engine === "fiat-orders") {
    all.topups.push(await stage.topUpOnce());
    all.withdrawals.push(await stage.withdrawOnce());
  } else if (engine === "safe-deployments") all.safes.push(await stage.deploySafe());
  else all.owed.push(await stage.settle(), await stage.settle());
}

/** A payment that ran out of gas and was made again, and then a chain without those blocks. */
async function meetFork(stage: CrashStage, all: Asked): Promise<void> {
  const snapshot = await stage.chain.call("evm_snapshot");
  // Also what is estimated again for a higher fee.
  stage.node.rule = (method) => (method === "eth_estimateGas" ? { result: "0x0" } : "pass");
  all.owed.push(await stage.settle());
  const inVain = async () => (await stage.sql`select 1 from transactions where superseded_at is not null`).length;
  const before = await inVain();
  const work = stage.process(() => {});
  for (let pass = 0; pass < LIVING_PASSES && (await inVain()) === before; pass += 1) {
    await work();
    await letTimePass(stage, 4_000);
  }
  stage.node.rule = () => "pass";
  await stage.letLeasesLapse();
  await runToEnd(stage);
  await stage.chain.call("evm_revert", snapshot);
  await stage.chain.mine(FORK_BLOCKS);
}

/** A separate process, until it dies at the point. False: it never reached it, because that work was done before. */
async function runToDeath(stage: CrashStage, { engine }: Pair, point: string): Promise<boolean> {
  const work = stage.process((reached) => {
    if (reached === point) throw new Died(`died at ${point}`);
  });
  let lives = true;
  for (let pass = 0; pass < DOOMED_PASSES && lives; pass += 1) {
    lives = await work();
    if (engine !== "bumps" || pass >= WITHOUT_A_BLOCK) await letTimePass(stage, 4_000);
    if (lives && (await isDone(stage))) break;
  }
  await stage.letLeasesLapse();
  return !lives;
}

/** A living process, and people who decide ambiguous cases, until nothing is left to do. */
async function runToEnd(stage: CrashStage): Promise<boolean> {
  const work = stage.process(() => {});
  let done = false;
  for (let pass = 0; pass < LIVING_PASSES && !done; pass += 1) {
    await work();
    await stage.settleUnclear();
    await letTimePass(stage, pass % 10 === 9 ? A_WHILE_MS : 4_000);
    done = await isDone(stage);
  }
  await stage.letLeasesLapse();
  return done;
}

async function letTimePass(stage: CrashStage, ms: number): Promise<void> {
  await stage.passTime(ms);
  await stage.sql`update safe_deployments set look_at = clock_timestamp() where look_at is not null`;
}

async function isDone({ sql }: CrashStage): Promise<boolean> {
  const left = await sql`
    select 1 from transfers where due_at is not null or adrift_since is not null union all select 1 from adrift_places union all
    select 1 from callbacks where due_at is not null union all select 1 from settlements where status = 'processing' union all
    select 1 from withdrawals where status in ('pending', 'processing') union all
    select 1 from topups where status in ('pending', 'processing') union all
    select 1 from safe_deployments where state not in ('deployed', 'failed') limit 1`;
  return left.length === 0;
}

/** The receiver's new callbacks of settlements, before the signatures' time limit. */
function hear({ receiver, secrets }: CrashStage, after: number): Heard[] {
  const deliveries = receiver.deliveries.filter(({ body }) => JSON.parse(body.toString("utf8")).tx_id !== undefined);
  return heardBy(deliveries.slice(after), secrets);
}

/** What clients, chain and database say of the settlements. */
async function witnessed(stage: CrashStage, owed: readonly Owed[]) {
  const known = await knownTo(stage);
  const ids = new Set(owed.map(({ id }) => id));
  const callbacks = known.callbacks.filter(({ subjectId }) => ids.has(subjectId));
  const payments = (await paymentsOn({ stage })).filter(({ wallet }) => owed.some((payment) => alike(payment.wallet, wallet)));
  return { owed, settlements: known.settlements, callbacks, payments, audit: await audited(stage, stage.ctx.evm) };
}

/** Orders and Safes: what the chain has for each. */
async function othersEnded(stage: CrashStage, { topups, withdrawals, safes }: Asked): Promise<Outcome[]> {
  const ended = await stage.sql`select id, status, purpose_of.hashes from (
      select id, status from withdrawals union all select id, status from topups) orders
    left join lateral (select count(distinct t.tx_hash)::int as hashes from transfers t where t.owner_id = orders.id and t.state = 'executed') purpose_of on true`;
  const orders = new Map(ended.map(({ id, status, hashes }) => [String(id), { status: String(status), hashes: Number(hashes) }]));
  const deployed = await Promise.all(safes.map(async (id) => [id, (await stage.deployment(id))?.state] as const));
  const isEnded = (id: string) => ["completed", "executed", "failed"].includes(orders.get(id)?.status ?? "");
  return [
    rule("orders_ended", "each order has ended, and moved tokens at most once", [...topups, ...withdrawals], (id) =>
      isEnded(id) && (orders.get(id)?.hashes ?? 0) <= 1 ? [] : [`${id} is ${JSON.stringify(orders.get(id))}`],
    ),
    rule("safes_deployed", "each Safe is deployed", deployed, ([id, state]) => (state === "deployed" ? [] : [`${id} is ${state}`])),
    must("orders_requested", "orders and Safes were requested", orders.size > 0 && safes.length > 0, "none was"),
  ];
}

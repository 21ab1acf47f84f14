/**
 * `npm run soak` lets the whole service run for hours under a steady load, while troubles come at random, and watches what grows. `--hours N`:
 * default 0.02, a short form. `--rate R`: settlements a second, default 100. `--seed N`: repeats the choices. `--write`: the result into
 * docs/reliability.md. Ctrl+C ends the load early: it then judges and reports what there is.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { pidsOf } from "#bench/processes.ts";
import { machine } from "#bench/report.ts";
import type { Scene } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { seeded } from "#fault/random.ts";
import { describe } from "#fault/results.ts";
import { drained } from "#fault/truth.ts";
import { inWorld, type World } from "#fault/world.ts";
import { operatorClient } from "#sandbox/client/partner.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { benchServerOn } from "#testing/stage/database.ts";
import { openFiling } from "./bucket-files.ts";
import { openLoad } from "./load.ts";
import { openPartners } from "./partners.ts";
import { reportOf, type SoakRun, writeRun } from "./report.ts";
import { type Sample, sample } from "./samples.ts";
import { trendsOf } from "./trends.ts";
import { openTroubles } from "./troubles.ts";
import { verdictOf } from "./verdict.ts";

const { values } = parseArgs({
  options: {
    hours: { type: "string", default: "0.02" },
    rate: { type: "string", default: "100" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    write: { type: "boolean", default: false },
  },
});
const [hours, rate] = [Number(values.hours), Number(values.rate)];
if (!(hours > 0) || !(rate > 0)) throw new Error("--hours and --rate are numbers above zero");
const command = `npm run soak -- --hours ${hours} --rate ${rate} --seed ${values.seed}`;

const PARTNERS = 6;
const SAMPLES = 120;
const TROUBLE = { mostMs: 30_000, ofRun: 1 / 60 };
/** After this share of the run the signer lives on. */
const SIGNER_DIES_UNTIL = 0.5;
const DRAIN_LIMIT_MS = 300_000;
/** The longest wait before one of the first two repeats of a callback. */
const NEXT_ATTEMPT_SECONDS = 302;
const ATTEMPTS = 6;

const say = (line: string) => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    say("stopping: what there is will be judged");
    stopping.abort();
  });

const scene: Omit<Scene, "server"> = {
  name: "soak",
  packing: false,
  taken: [],
  note: () => {},
  random: seeded(`${values.seed} soak`),
  pick: (long) => long,
  patience: 1,
  say,
};
const began = new Date();
const postgres = await startTemporaryPostgres({ durable: true });
const server = benchServerOn(postgres);
try {
  const run = await inWorld({ ...scene, server }, { webs: 2, workers: 2, wallets: 4 }, (world) =>
    soak(world, { ...scene, server }, postgres),
  );
  process.stdout.write(`\n${reportOf(run)}\n`);
  if (values.write) writeRun(run);
  process.exitCode = run.violations.length === 0 ? 0 : 1;
} finally {
  await server.stop();
}
process.exit();

async function soak(world: World, scene: Scene, postgres: TemporaryPostgres): Promise<SoakRun> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const filing = openFiling(folder);
  const partners = await openPartners(world, filing, { count: PARTNERS, random: scene.random.fork("receivers") });
  const [[web = 0], [worker = 0]] = [pidsOf("web"), pidsOf("worker")];
  const elders = { web, worker };
  const forMs = hours * 3_600_000;
  const start = performance.now();
  const share = () => (performance.now() - start) / forMs;
  const load = openLoad(world, filing, { rate, partners, random: scene.random.fork("orders") });
  const everyMs = Math.min(TROUBLE.mostMs, forMs * TROUBLE.ofRun);
  const plan = { postgres, partners, elders, everyMs, signerDies: () => share() < SIGNER_DIES_UNTIL };
  const troubles = openTroubles(world, scene, plan);
  try {
    const samples: Sample[] = [];
    for (let since = performance.now(); share() < 1 && !stopping.signal.aborted; ) {
      await sleep(Math.max(1_000, forMs / SAMPLES), undefined, { signal: stopping.signal }).catch(() => {});
      const [now, minute] = [performance.now(), (performance.now() - start) / 60_000];
      const lately = { seen: load.look(), settlements: load.confirmed(), seconds: (now - since) / 1_000 };
      const taken = await sample(world, { ...lately, minute, elders }).catch(() => null);
      since = now;
      if (taken === null) continue;
      samples.push(taken);
      say(line(taken));
    }
    await troubles.stop();
    const minutes = (performance.now() - start) / 60_000;
    await load.stop();
    const drainedAfterMs = await allCalledBack(world);
    const counts = troubles.counts();
    const interruptions = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const { answers, own } = load.judged();
    const elderly = [...pidsOf("web"), ...pidsOf("worker")].filter((pid) => pid === web || pid === worker).length;
    const lived = must(
      "elders_lived",
      "the web process and the worker that nobody ended live to the end",
      elderly === 2,
      `${elderly} of 2`,
    );
    const more = { answers, interruptions, websDied: true, drainedAfterMs, own: [...own, lived, ...trendsOf(samples, rate)] };
    const outcomes = await verdictOf(world, filing, { settlements: load.confirmed(), facts: more });
    const experiment = { name: "soak", breaks: "", judged: "", run: () => Promise.reject(new Error("it has run")) };
    const judged = describe({ experiment, command, began, counts: `${load.confirmed()} settlements`, outcomes });
    say(`the verdict:\n${judged.lines.join("\n")}`);
    const { checked, violations } = judged;
    const kept = { command, began: began.toISOString(), minutes, rate, machine: machine(), settlements: load.confirmed() };
    return { ...kept, troubles: counts, checked, violations, samples };
  } finally {
    await Promise.allSettled([troubles.stop(), load.stop()]);
    for (const partner of partners) await partner.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until nothing is due. The sandbox's clock is moved to the repeats of callbacks that failed. Answers how long that took; null: it never was. */
async function allCalledBack(world: World): Promise<number | null> {
  const began = performance.now();
  const isPaid = async () => (await world.database.sql`select 1 from transfers where due_at is not null limit 1`).length === 0;
  for (let attempt = 0; attempt <= ATTEMPTS; ) {
    if ((await drained(world.database, 5_000)) !== null) return performance.now() - began;
    if (performance.now() - began > DRAIN_LIMIT_MS) return null;
    if (!(await isPaid().catch(() => false))) continue;
    const operator = operatorClient(world.webs[0] ?? "", world.stage.operator);
    const { status } = await operator.call("POST", "/sandbox/clock", { advance_seconds: NEXT_ATTEMPT_SECONDS });
    if (status !== 200) throw new Error(`the clock was not moved: ${status}`);
    attempt += 1;
  }
  return null;
}

function line({ minute, perSecond, createMs, confirmMs, oldestUnpaidSeconds, callbacksOutstanding, memoryMb, databaseBytes }: Sample) {
  const memory = Object.entries(memoryMb).map(([name, mb]) => `${name} ${mb.toFixed(0)}`);
  return `${minute.toFixed(1)} min: ${perSecond}/s, create ${createMs.p50}/${createMs.p99} ms, confirm ${confirmMs.p50}/${confirmMs.p99} ms, oldest unpaid ${oldestUnpaidSeconds} s, ${callbacksOutstanding} callbacks open, MB: ${memory.join(", ")}, database ${(databaseBytes / 1_048_576).toFixed(0)}`;
}

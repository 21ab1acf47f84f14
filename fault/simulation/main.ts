/**
 * `npm run simulate` runs histories of the service's own code in a simulated world. `-- --histories 100000 --seed S`: so many, from that seed.
 * `--family payments`: one kind alone. `--only S`: the one history of that seed, of each kind, step by step. `--without NAME`: with a fix taken out, until
 * the defect is found. `--from N`: without the first ones. `--shards 1`: on one core. What lies inside, and how to read a trace: docs/decisions/simulation.md.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { simulateChance } from "./chance.ts";
import { patchesOf } from "./mutants.ts";
import { simulateTime } from "./scheduler.ts";
import { cutAt } from "./seam.ts";
import { TABLES } from "./tables/all.ts";
import { describe, merge, type Tally } from "./tally.ts";

const { values } = parseArgs({
  options: {
    histories: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    family: { type: "string" },
    only: { type: "string" },
    without: { type: "string" },
    shards: { type: "string" },
    shard: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const wanted = Number(values.histories);
/** Below so many, starting more processes takes longer than it saves. */
const shards = Number(values.shards ?? (wanted < 3_000 || values.without !== undefined ? 1 : availableParallelism()));
const MOST_FAILED = 5;

if (values.only === undefined && values.shard === undefined && shards > 1) {
  const began = performance.now();
  const tallies = await Promise.all(Array.from({ length: shards }, (_, shard) => shardOf(`${shard}/${shards}`)));
  finish(merge(tallies, (performance.now() - began) / 1_000));
}

const [shard = 0, of = 1] = values.shard?.split("/").map(Number) ?? [];
const realNow = performance.now.bind(performance);
simulateChance();
simulateTime();
cutAt(TABLES, values.without === undefined ? [] : patchesOf(values.without));
const { FAMILIES, runHistory } = await import("./run.ts");
const families = values.family?.split(",") ?? Object.keys(FAMILIES);

if (values.only !== undefined) {
  for (const family of families) {
    say(`── ${family} ──`);
    const { violations } = await runHistory(family, values.only, say);
    for (const violation of violations) say(`VIOLATION ${violation}`);
    if (violations.length > 0) process.exitCode = 1;
  }
} else {
  const began = realNow();
  const tally: Tally = { histories: 0, seconds: 0, cpuSeconds: 0, faults: {}, failed: [] };
  for (let index = shard + Number(values.from); index < wanted && tally.failed.length < MOST_FAILED; index += of) {
    const family = families[Math.floor(index / of) % families.length] ?? "";
    const { seed, faults, violations } = await runHistory(family, `${values.seed}.${index}`);
    tally.histories += 1;
    for (const kind of faults) tally.faults[kind] = (tally.faults[kind] ?? 0) + 1;
    if (violations.length === 0) continue;
    tally.failed.push({ family, seed, violations });
    // A fix that is taken out is found by one history.
    if (values.without !== undefined) break;
  }
  const { user, system } = process.cpuUsage();
  finish({ ...tally, seconds: (realNow() - began) / 1_000, cpuSeconds: (user + system) / 1e6 });
}

function finish(tally: Tally): never {
  say(values.json ? JSON.stringify(tally) : describe(tally, values.seed));
  process.exit(tally.failed.length === 0 ? 0 : 1);
}

/** A part of the histories, in a process of its own. */
async function shardOf(part: string): Promise<Tally> {
  const own = ["--histories", values.histories, "--seed", values.seed, "--shard", part, "--json"];
  const args = [fileURLToPath(import.meta.url), ...own, ...(values.family === undefined ? [] : ["--family", values.family])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const piece of child.stdout) text += String(piece);
  return JSON.parse(text);
}

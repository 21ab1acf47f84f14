/**
 * `npm run fault` breaks the service while money moves, and proves that nothing was lost or doubled: each experiment in its own world, one
 * checker for all. `-- --only kills,lying-node`: some of them; `--except`: all but these. `--short`: a short form of each. `--seed N`:
 * repeats that run's random choices. `--without NAME`: without that fix of the simulation's list (kills, crash points, lies and restores of Solana, Tron and Tempo). `--packing`: with payments packed. `--citus`: on a coordinator and two workers of Citus. `--write`: results into docs/reliability.md. `--at-a-time N`: this many at the same time, each in its
 * own process, which owns the processes that it breaks. `fault/README.md` describes each.
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type BenchServer, startBenchServer, startCitusBench } from "#testing/stage/database.ts";
import { judge } from "./checker.ts";
import type { Experiment, Scene } from "./experiment.ts";
import { loadExperiments, NAMES } from "./experiments/all.ts";
import { seeded } from "./random.ts";
import { describe, type Result, readResults, writeResults } from "./results.ts";
import { MUTANTS } from "./simulation/mutants.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    except: { type: "string" },
    short: { type: "boolean", default: false },
    packing: { type: "boolean", default: false },
    citus: { type: "boolean", default: false },
    seed: { type: "string" },
    write: { type: "boolean", default: false },
    json: { type: "string" },
    without: { type: "string" },
    "at-a-time": { type: "string", default: "1" },
  },
});
/** The short form is a test that shares the machine with others: only the long form, alone, checks the promised times. */
const SHORT_PATIENCE = 4;
/** What takes longest, the longest first. */
const LONG = ["restore", "restore-pgbackrest", "lying-node", "bad-requests", "kills", "database-pooled", "database"];
const LEAVE_WITH_PARENT = new URL("../server/process/leave-with-parent.ts", import.meta.url).href;
const left = values.except?.split(",") ?? [];
const asked = values.only?.split(",") ?? NAMES;
const unknown = [...asked, ...left].filter((name) => !NAMES.includes(name));
if (unknown.length > 0) throw new Error(`There is no experiment ${unknown.join(", ")}: choose from ${NAMES.join(", ")}.`);
const loaded = await loadExperiments(asked.filter((name) => !left.includes(name)));
const chosen = loaded.filter(({ name, lacks }) => {
  const lack = lacks?.() ?? null;
  if (lack === null) return true;
  if (values.only !== undefined) throw new Error(`${name} cannot run here: ${lack}`);
  process.stdout.write(`${name} is left out: ${lack}\n`);
  return false;
});
const taken = patchesOf(values.without);
const seed = values.seed ?? String(randomInt(1_000_000));

const say = (line: string) => void process.stdout.write(`${line}\n`);
const atATime = Number(values["at-a-time"]);
const results = atATime > 1 ? await atTheSameTime(chosen) : await oneByOne(chosen);
writeResults(results, { page: values.write, json: values.json });
const failed = results.filter(({ violations }) => violations.length > 0);
say(`${results.length - failed.length} experiments held, ${failed.length} did not; seed ${seed}`);
process.exit(failed.length === 0 ? 0 : 1);

async function oneByOne(experiments: readonly Experiment[]): Promise<Result[]> {
  const server = await (values.citus ? startCitusBench() : startBenchServer("embedded"));
  const results: Result[] = [];
  try {
    for (const experiment of experiments) results.push(await run(experiment, server));
    return results;
  } finally {
    await server.stop();
  }
}

/** First those that run alone. Then the longest ones first, so that the last ones end at about the same time. */
async function atTheSameTime(experiments: readonly Experiment[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of experiments.filter(({ alone }) => alone)) results.push(await apart(one));
  const left = experiments.filter(({ alone }) => !alone).toSorted((one, other) => placeOf(one) - placeOf(other));
  const scope = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results.push(await apart(next));
  };
  await Promise.all(Array.from({ length: atATime }, scope));
  return experiments.flatMap(({ name }) => results.filter((result) => result.name === shownName(name)));
}

function placeOf({ name }: Experiment): number {
  const place = LONG.indexOf(name);
  return place === -1 ? LONG.length : place;
}

/** In a separate process, which ends with this one. */
async function apart({ name, ...rest }: Experiment): Promise<Result> {
  const began = new Date();
  const folder = mkdtempSync(join(tmpdir(), "fault-"));
  const json = join(folder, "result.json");
  try {
    const program = ["--import", LEAVE_WITH_PARENT, fileURLToPath(import.meta.url)];
    const asked = ["--only", name, "--seed", seed, "--json", json, ...(values.short ? ["--short"] : []), ...modes()];
    const child = spawn(process.execPath, [...program, ...asked], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
    await once(child, "close");
    const [result] = readResults(json);
    if (result !== undefined) return result;
    throw new Error("it ended and said nothing");
  } catch (error) {
    return describe({
      experiment: { ...rest, name: shownName(name) },
      command: commandOf(name),
      began,
      counts: "",
      outcomes: [ended(error)],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A failure is printed, and stops no other experiment. */
async function run(experiment: Experiment, server: BenchServer): Promise<Result> {
  const { name } = experiment;
  const command = commandOf(name);
  const notes: string[] = [];
  const scene: Scene = {
    name,
    server,
    packing: values.packing,
    taken,
    note: (text) => void notes.push(text),
    random: seeded(`${seed} ${name}`),
    pick: (long, short) => (values.short ? short : long),
    patience: values.short ? SHORT_PATIENCE : 1,
    say: (line) => say(`  ${name}: ${line}`),
  };
  say(`── ${name} ── ${experiment.breaks}\n   again with: ${command}`);
  const began = new Date();
  const found = await experiment.run(scene).then(
    ({ counts, facts }) => ({ counts: [counts, ...notes].join("; "), outcomes: judge(facts, scene.patience) }),
    (error: unknown) => ({ counts: "", outcomes: [ended(error)] }),
  );
  const result = describe({ experiment: { ...experiment, name: shownName(name) }, command, began, ...found });
  say(result.lines.join("\n"));
  return result;
}

/** A fix of the simulation's mutants, taken out of the running service. */
function patchesOf(name: string | undefined) {
  if (name === undefined) return [];
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no fix ${name}: choose from ${MUTANTS.map((one) => one.name).join(", ")}.`);
  return mutant.patches;
}

function commandOf(name: string): string {
  return `npm run fault -- ${["--only", name, ...(values.short ? ["--short"] : []), ...modes(), "--seed", seed].join(" ")}`;
}

function modes(): string[] {
  return [...(values.packing ? ["--packing"] : []), ...(values.citus ? ["--citus"] : [])];
}

/** In another mode it has a row of its own. */
function shownName(name: string): string {
  return [name, ...(values.packing ? ["packed"] : []), ...(values.citus ? ["on Citus"] : [])].join(", ");
}

function ended(error: unknown) {
  const text = error instanceof Error ? String(error.stack) : String(error);
  return { rule: "completed", title: "the experiment completed", checked: 1, violations: [text] };
}

/**
 * `npm run fault` breaks the service while money moves, and proves that nothing was lost and nothing doubled: each experiment in a world of
 * its own, one checker for all. `-- --only kills,lying-node`: some of them; `--except`: all but these. `--short`: a little of each. `--seed N`: the chances of that run
 * again. `--write`: what came of it into docs/reliability.md. What each does is in `fault/README.md`.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { startBenchServer } from "#bench/database.ts";
import { judge } from "./checker.ts";
import type { Experiment, Scene } from "./experiment.ts";
import { EXPERIMENTS } from "./experiments/all.ts";
import { seeded } from "./random.ts";
import { describe, type Result, writeResults } from "./results.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    except: { type: "string" },
    short: { type: "boolean", default: false },
    seed: { type: "string" },
    write: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const names = EXPERIMENTS.map(({ name }) => name);
const lacking = new Map(EXPERIMENTS.map((experiment) => [experiment.name, experiment.lacks?.() ?? null]));
const left = values.except?.split(",") ?? [];
const asked = values.only?.split(",") ?? names.filter((name) => lacking.get(name) === null);
const wanted = asked.filter((name) => !left.includes(name));
const unknown = [...wanted, ...left].filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`There is no experiment ${unknown.join(", ")}: choose from ${names.join(", ")}.`);
for (const [name, lack] of lacking) {
  if (lack === null) continue;
  if (wanted.includes(name)) throw new Error(`${name} cannot run here: ${lack}`);
  process.stdout.write(`${name} is left out: ${lack}\n`);
}
const seed = values.seed ?? String(randomInt(1_000_000));

const say = (line: string) => void process.stdout.write(`${line}\n`);
const results: Result[] = [];
const server = await startBenchServer();
try {
  for (const experiment of EXPERIMENTS.filter(({ name }) => wanted.includes(name))) results.push(await run(experiment));
} finally {
  await server.stop();
}
writeResults(results, { page: values.write, json: values.json });
const failed = results.filter(({ violations }) => violations.length > 0);
say(`${results.length - failed.length} experiments held, ${failed.length} did not; seed ${seed}`);
process.exit(failed.length === 0 ? 0 : 1);

/** What fails is told, and ends no other experiment. */
async function run(experiment: Experiment): Promise<Result> {
  const { name } = experiment;
  const form = values.short ? "--short " : "";
  const command = `npm run fault -- --only ${name} ${form}--seed ${seed}`;
  const scene: Scene = {
    ...{ name, server },
    random: seeded(`${seed} ${name}`),
    pick: (long, short) => (values.short ? short : long),
    say: (line) => say(`  ${name}: ${line}`),
  };
  say(`── ${name} ── ${experiment.breaks}\n   again with: ${command}`);
  const began = new Date();
  const found = await experiment.run(scene).then(
    ({ counts, facts }) => ({ counts, outcomes: judge(facts) }),
    (error: unknown) => ({ counts: "", outcomes: [ended(error)] }),
  );
  const result = describe({ experiment, command, began, ...found });
  say(result.lines.join("\n"));
  return result;
}

function ended(error: unknown) {
  const told = error instanceof Error ? String(error.stack) : String(error);
  return { rule: "came_to_its_end", title: "the experiment came to its end", checked: 1, violations: [told] };
}

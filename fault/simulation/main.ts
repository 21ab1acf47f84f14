/**
 * `npm run simulate` runs histories of the service's own code in a simulated world. `-- --histories 100000 --seed S`: so many, from that seed.
 * `--family payments`: one kind alone. `--only S`: the one history of that seed, step by step. `--without NAME`: with a mend taken out.
 * What lies inside, and how to read a trace: docs/decisions/simulation.md.
 */
import { parseArgs } from "node:util";
import { simulateChance } from "./chance.ts";
import { patchesOf } from "./mends.ts";
import { simulateTime } from "./scheduler.ts";
import { cutAt } from "./seam.ts";
import { TABLES } from "./tables/all.ts";

const { values } = parseArgs({
  options: {
    histories: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    family: { type: "string" },
    only: { type: "string" },
    without: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const realNow = performance.now.bind(performance);
simulateChance();
simulateTime();
cutAt(TABLES, values.without === undefined ? [] : patchesOf(values.without));
const { FAMILIES, runHistory } = await import("./run.ts");
const say = (line: string) => void process.stdout.write(`${line}\n`);

const families = values.family?.split(",") ?? Object.keys(FAMILIES);
if (values.only !== undefined) {
  const { violations } = await runHistory(families[0] ?? "", values.only, say);
  for (const violation of violations) say(`VIOLATION ${violation}`);
  process.exit(violations.length === 0 ? 0 : 1);
}

const wanted = Number(values.histories);
const began = realNow();
const kinds = new Map<string, number>();
const failed: { family: string; seed: string; violations: string[] }[] = [];
let done = 0;
for (; done < wanted && failed.length < 5; done += 1) {
  const family = families[done % families.length] ?? "";
  const { seed, faults, violations } = await runHistory(family, `${values.seed}.${done}`);
  for (const kind of faults) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (violations.length > 0) failed.push({ family, seed, violations });
  // A mend that is taken out is found by one history.
  if (violations.length > 0 && values.without !== undefined) break;
}
const seconds = (realNow() - began) / 1_000;
const faults = Object.fromEntries([...kinds].sort(([, one], [, other]) => other - one));
if (values.json) say(JSON.stringify({ histories: done, seconds, faults, failed }));
else {
  for (const { family, seed, violations } of failed) say(`${family} ${seed}\n  ${violations.join("\n  ")}\n  again: npm run simulate -- --family ${family} --only ${seed}`);
  say(`${done} histories from seed ${values.seed} in ${seconds.toFixed(1)} s (${Math.round(done / seconds)} a second), ${failed.length} failed`);
  say(Object.entries(faults).map(([kind, count]) => `${kind} ${count}`).join(", "));
}
process.exit(failed.length === 0 ? 0 : 1);

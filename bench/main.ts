/**
 * `npm run bench` measures what people wait for in the console, with 100,000 settlements in a database of its own, and how fast callbacks
 * leave. `--rows 20000`: fewer settlements. `--only console` or `--only callbacks`: one of the two. What the numbers mean is in `bench/README.md`.
 */
import { parseArgs } from "node:util";
import { measureCallbacks } from "./callbacks.ts";
import { callerFor } from "./caller.ts";
import { type BenchDatabase, openBenchDatabase } from "./database.ts";
import { measureExport } from "./export.ts";
import { table } from "./measure.ts";
import { seed } from "./seed.ts";
import { measureLists, measureReference, measureRest, measureSearches } from "./workloads.ts";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "100000" }, only: { type: "string" }, callbacks: { type: "string", default: "2000" } },
});
const print = (text: string) => process.stdout.write(`${text}\n`);
const workloads: Record<string, (database: BenchDatabase) => Promise<void>> = {
  callbacks: async (database) => print(await measureCallbacks(database, Number(values.callbacks))),
  console: measureConsole,
};
const wanted = Object.keys(workloads).filter((name) => values.only === undefined || name === values.only);
if (wanted.length === 0) throw new Error(`--only takes one of ${Object.keys(workloads).join(", ")}`);
const database = await openBenchDatabase();
try {
  for (const name of wanted) await workloads[name]?.(database);
} finally {
  await database.close();
}

async function measureConsole(bench: BenchDatabase): Promise<void> {
  const started = performance.now();
  await seed(bench.owner, Number(values.rows));
  print(`${Number(values.rows).toLocaleString("en")} settlements seeded in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  const operator = callerFor(bench.db, "operator");
  const partner = callerFor(bench.db, "partner");
  const reference = await measureReference(bench);
  print(table("Reference", [reference], reference, null));
  print(table("List procedure", await measureLists(bench, operator, partner), reference, 25));
  print(table("Search", await measureSearches(bench, operator, partner), reference, 500));
  print(table("Around the list", await measureRest(operator, partner), reference, null));
  print(await measureExport(bench));
  print(table("Reference, again", [await measureReference(bench)], reference, null));
}

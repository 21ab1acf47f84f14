/**
 * `npm run bench` measures what people wait for in the console, with 100,000 settlements in a database of its own. `--rows 20000`: fewer.
 * What the numbers mean is in `bench/README.md`.
 */
import { parseArgs } from "node:util";
import { callerFor } from "./caller.ts";
import { openBenchDatabase } from "./database.ts";
import { measureExport } from "./export.ts";
import { table } from "./measure.ts";
import { seed } from "./seed.ts";
import { measureLists, measureReference, measureRest, measureSearches } from "./workloads.ts";

const { values } = parseArgs({ options: { rows: { type: "string", default: "100000" } } });
const database = await openBenchDatabase();
const print = (text: string) => process.stdout.write(`${text}\n`);
try {
  const started = performance.now();
  await seed(database.owner, Number(values.rows));
  print(`${Number(values.rows).toLocaleString("en")} settlements seeded in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  const operator = callerFor(database.db, "operator");
  const partner = callerFor(database.db, "partner");
  const reference = await measureReference(database);
  print(table("Reference", [reference], reference, null));
  print(table("List procedure", await measureLists(database, operator, partner), reference, 25));
  print(table("Search", await measureSearches(database, operator, partner), reference, 500));
  print(table("Around the list", await measureRest(operator, partner), reference, null));
  print(await measureExport(database));
  print(table("Reference, again", [await measureReference(database)], reference, null));
} finally {
  await database.close();
}

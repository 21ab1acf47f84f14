import type { BenchServer } from "#testing/stage/database.ts";
import { callerFor } from "./caller.ts";
import { callsTable } from "./calls.ts";
import { measureLists, measureReference, measureRest, measureSearches } from "./console-calls.ts";
import { measureExport } from "./export.ts";
import { seed } from "./seed.ts";

/** What users wait for in the console, with this many settlements. */
export async function measureConsole(server: BenchServer, { rows }: { rows: number }): Promise<string> {
  return await server.withDatabase(async (database) => {
    await seed(database.owner, rows);
    const operator = callerFor(database.db, "operator");
    const partner = callerFor(database.db, "partner");
    const reference = await measureReference(database);
    const tables = [
      `${rows.toLocaleString("en")} settlements.`,
      callsTable("Reference", [reference], reference),
      callsTable("List procedure", await measureLists(database, operator, partner), reference, 25),
      callsTable("Search", await measureSearches(database, operator, partner), reference, 500),
      callsTable("Around the list", await measureRest(operator, partner), reference),
      await measureExport(database),
      callsTable("Reference, again", [await measureReference(database)], reference),
    ];
    return tables.join("\n\n");
  });
}

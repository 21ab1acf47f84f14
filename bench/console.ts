import { csvLine } from "#domain/csv.ts";
import { EXPORT_COLUMNS } from "#domain/settlement-view.ts";
import { settlementCells } from "#server/console/exports/settlements.ts";
import { exportSettlements } from "#server/services/settlements/export-settlements.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { callerFor } from "./caller.ts";
import { callsTable } from "./calls.ts";
import { measureLists, measureReference, measureRest, measureSearches } from "./console-calls.ts";
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

/** A whole export: its duration, and its peak memory. */
async function measureExport({ db }: BenchDatabase): Promise<string> {
  const by = {
    actor: { type: "user", userId: "10000000-0000-4000-8000-000000000001", role: "approver", partnerId: null },
    requestId: null,
  } as const;
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const started = performance.now();
  const { count, batches } = await exportSettlements({ db }, { by, filter: {}, asked: {} });
  let [bytes, rows, peak] = [0, 0, 0];
  for await (const batch of batches) {
    for (const row of batch) bytes += csvLine(settlementCells(row, EXPORT_COLUMNS, "UTC")).length;
    rows += batch.length;
    if (rows % 10_000 === 0) {
      global.gc?.();
      peak = Math.max(peak, process.memoryUsage().heapUsed - before);
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const mib = (size: number) => `${(size / 1_048_576).toFixed(0)} MiB`;
  return `Export: ${rows} of ${count} rows, ${mib(bytes)}, in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)} rows/s), and never more than ${mib(peak)} held.`;
}

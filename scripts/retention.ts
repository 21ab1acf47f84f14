/**
 * `npm run retention` shows what would go to the archive, and which of its months would be dropped, if the worker did all of it now, under
 * RETENTION_DAYS: a dry run of a changed setting, before the workers are started with it (`-- --dry-run` makes that explicit). It changes
 * nothing. It uses the same database as `npm run audit`.
 *
 * `-- --export FOLDER` writes every finished month of the archive to a file there, compressed lines of JSON, with a manifest of their
 * checksums, and records each checksum in the audit log. An interrupted run can be repeated: a file is complete or absent. Existing files
 * are compared with their checksums, and differences reported.
 */
import { parseArgs } from "node:util";
import { DEFAULT_RETENTION, LEAST_RETENTION, readRetention } from "#domain/retention.ts";
import { forecastRetention } from "#server/services/maintenance/keep-retention.ts";
import { exportArchive } from "./archive-files.ts";
import { withBooks } from "./books.ts";
import { runCommand } from "./command.ts";

async function main(setting: string | undefined): Promise<number> {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean" }, export: { type: "string" } } });
  const folder = values.export;
  if (folder !== undefined)
    return await withBooks(({ database }) => exportArchive(database, folder, (line) => process.stdout.write(`${line}\n`)));
  const retention = setting ? readRetention(setting) : DEFAULT_RETENTION;
  if (retention === null) throw new Error(`RETENTION_DAYS cannot be read: the least are ${JSON.stringify(LEAST_RETENTION)}.`);
  return await withBooks(async ({ database }) => {
    const { kinds, archive } = await forecastRetention(database, retention);
    const lines = kinds.map(
      ({ kind, days, before, rows }) => `${kind}: kept for ${days} days; ${rows} rows from before ${before.toISOString()} would go`,
    );
    const months = archive.map(
      ({ name, rows, bytes, isDue }) => `${name}: ${rows} rows, ${bytes} bytes${isDue ? "; would be dropped" : ""}`,
    );
    process.stdout.write(`${[...lines, `archive: each month kept for ${retention.archive} days after its end`, ...months].join("\n")}\n`);
    return 0;
  });
}

await runCommand(() => main(process.env.RETENTION_DAYS));

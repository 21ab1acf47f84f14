/**
 * `npm run release:freeze -- 1.1.0`, on the released commit: records the release's migrations, which may not change any more, stores its
 * OpenAPI documents, which later ones may not break, and stores the rows of a sandbox made by the release's own code. `db/upgrade.test.ts`
 * upgrades them to every later schema. It may be repeated.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MIGRATIONS, readMigrations, readReleases } from "#db/migration-files.ts";
import { newDirectory, removeDirectory, startSandbox } from "#e2e/support/start-sandbox.ts";
import { findRunningSandbox } from "#sandbox/running.ts";
import { runCommand } from "#scripts/command.ts";
import { ROOT } from "#scripts/suites.ts";
import { writeSeed } from "#testing/seed-file.ts";

/** Enough for every kind of row, and small enough to keep for ever. */
const DAYS_OF_ROWS = "2";
const LONGEST_HISTORY_MS = 900_000;

/** Stores what a release promises: its migrations, its documents and its rows. */
export async function freezeRelease(release: string): Promise<void> {
  const releases = readReleases();
  const carried = new Set(Object.entries(releases).flatMap(([name, files]) => (name === release ? [] : Object.keys(files))));
  const added = readMigrations().filter(({ tag }) => !carried.has(`${tag}.sql`));
  if (added.length > 0) {
    const files = Object.fromEntries(added.map(({ tag, hash }) => [`${tag}.sql`, hash]));
    writeFileSync(join(MIGRATIONS, "releases.json"), `${JSON.stringify({ ...releases, [release]: files }, null, 2)}\n`);
  }
  // What the API promises from now on.
  execFileSync(process.execPath, [join(ROOT, "scripts", "openapi.ts"), "--release"], { stdio: "inherit" });
  const seed = join(MIGRATIONS, "seeds", `${release}.gz`);
  const tables = await writeRows(seed);
  process.stdout.write(
    `${release}: ${added.length} migrations, rows of ${tables} tables in ${Math.round(readFileSync(seed).length / 1024)} KB.\n`,
  );
}

/** The rows of a separate sandbox with some days of history. */
async function writeRows(file: string): Promise<number> {
  const directory = newDirectory();
  const sandbox = await startSandbox(directory, { SANDBOX_HISTORY: DAYS_OF_ROWS });
  try {
    const deadline = Date.now() + LONGEST_HISTORY_MS;
    while (!sandbox.output().includes("The history is in the console")) {
      if (sandbox.process.exitCode !== null || sandbox.output().includes("could not be made") || Date.now() > deadline)
        throw new Error(`The sandbox has made no history:\n${sandbox.output()}`);
      await sleep(500);
    }
    return await writeSeed(findRunningSandbox({ ...process.env, DATABASE_URL: "", DATA_DIR: directory }).databaseUrl, file);
  } finally {
    await sandbox.stop();
    removeDirectory(directory);
  }
}

if (import.meta.main) {
  await runCommand(async () => {
    const [release = ""] = process.argv.slice(2);
    if (!/^\d+\.\d+\.\d+$/.test(release)) throw new Error("Usage: npm run release:freeze -- 1.1.0");
    await freezeRelease(release);
    return 0;
  });
}

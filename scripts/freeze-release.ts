/**
 * `npm run release:freeze -- 1.1.0`, on the commit that is released, with its sandbox running: notes which migrations the release
 * carries away, so that nobody changes them any more, and keeps the sandbox's rows, made by the release's own code, for
 * `db/upgrade.test.ts`, which brings them to every later schema, and the OpenAPI documents, which no later one may break. Commit all.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS, readMigrations, readReleases } from "#db/migration-files.ts";
import { findRunningSandbox } from "#sandbox/running.ts";
import { writeSeed } from "#testing/seed-file.ts";
import { ROOT } from "./suites.ts";

const [release] = process.argv.slice(2);
if (release === undefined || !/^\d+\.\d+\.\d+$/.test(release)) {
  process.stderr.write("Usage: npm run release:freeze -- 1.1.0\n");
  process.exit(2);
}
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
const tables = await writeSeed(findRunningSandbox(process.env).databaseUrl, seed);
process.stdout.write(
  `${release}: ${added.length} migrations, rows of ${tables} tables in ${Math.round(readFileSync(seed).length / 1024)} KB.\n`,
);

/**
 * `npm run db:migration NAME` writes the next migration: the difference between `db/schema` and the result of the migrations so far.
 * `--custom` writes an empty file, for anything that the schema's language cannot express. Migrations are only added: one in
 * `db/migrations/releases.json` has run somewhere, and a change of it would never get there. `--check` writes nothing and fails when the
 * schema and the migrations differ, when a released migration was changed, or when a new one would endanger the version that still runs.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { findDangers } from "./migration-dangers.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MIGRATIONS = join(ROOT, "db", "migrations");

function main(): number {
  const [name, ...options] = process.argv.slice(2);
  if (name === "--check") return check();
  if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name) || options.some((option) => option !== "--custom")) {
    process.stderr.write("Usage: npm run db:migration NAME [-- --custom]   (NAME in snake_case: what it changes)\n");
    return 1;
  }
  process.stdout.write(generate(MIGRATIONS, ["--name", name, ...options]));
  dropOlderSnapshots();
  return 0;
}

/** The generator compares the schema with the newest snapshot. Nothing reads the older ones. */
function dropOlderSnapshots(): void {
  const meta = join(MIGRATIONS, "meta");
  const snapshots = readdirSync(meta).filter((file) => file.endsWith("_snapshot.json"));
  for (const file of snapshots.toSorted().slice(0, -1)) rmSync(join(meta, file));
}

function check(): number {
  const faults = [...changedReleases(), ...missingMigration(), ...findDangers()];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
}

/** Asked on a copy: drizzle-kit writes a file whenever there is a difference. */
function missingMigration(): string[] {
  const copy = mkdtempSync(join(tmpdir(), "settlement-migration-"));
  try {
    cpSync(MIGRATIONS, copy, { recursive: true });
    const output = generate(copy, ["--name", "missing"]);
    const added = readdirSync(copy).filter((file) => !readdirSync(MIGRATIONS).includes(file));
    if (added.length > 0) return ["db/schema says more than db/migrations: run `npm run db:migration NAME`."];
    return output.includes("nothing to migrate") ? [] : [`drizzle-kit could not compare:\n${output}`];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Each released migration with the SHA-256 of its file. */
function changedReleases(): string[] {
  const releases: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(MIGRATIONS, "releases.json"), "utf8"));
  return Object.entries(releases).flatMap(([release, files]) =>
    Object.entries(files)
      .filter(
        ([file, hash]) =>
          createHash("sha256")
            .update(readFileSync(join(MIGRATIONS, file)))
            .digest("hex") !== hash,
      )
      .map(([file]) => `${file} was released with ${release} and has been changed since: put it back, and add a migration.`),
  );
}

function generate(out: string, options: string[]): string {
  const drizzleKit = join(ROOT, "node_modules", "drizzle-kit", "bin.cjs");
  const schema = ["--dialect", "postgresql", "--schema", "./db/schema/!(*.test).ts", "--casing", "snake_case"];
  // drizzle-kit puts "./" in front of whatever it is given.
  const folder = ["--out", relative(ROOT, out)];
  const result = spawnSync(process.execPath, [drizzleKit, "generate", ...schema, ...folder, ...options], { cwd: ROOT, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`drizzle-kit failed:\n${result.stdout}${result.stderr}`);
  return `${result.stdout}${result.stderr}`;
}

process.exit(main());

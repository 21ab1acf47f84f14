/**
 * `npm run db:regenerate` writes the first migration anew from `db/schema`, as long as nothing is deployed: `0000_init.sql` is the
 * tables, `0001_rules.sql` (by hand) what the schema's language cannot say. `--check` only fails when the two differ.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MIGRATIONS = join(ROOT, "db", "migrations");
const INIT = "0000_init";

function main(): number {
  const out = mkdtempSync(join(tmpdir(), "settlement-migration-"));
  try {
    generate(out);
    if (!process.argv.includes("--check")) return replace(out);
    if (readFileSync(join(out, `${INIT}.sql`), "utf8") === readFileSync(join(MIGRATIONS, `${INIT}.sql`), "utf8")) return 0;
    process.stderr.write("db/schema and db/migrations differ: run `npm run db:regenerate`.\n");
    return 1;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** From nothing, so that it never has to ask whether something was renamed. */
function generate(out: string): void {
  const drizzleKit = join(ROOT, "node_modules", "drizzle-kit", "bin.cjs");
  const options = [
    "--dialect",
    "postgresql",
    "--schema",
    "./db/schema/!(*.test).ts",
    "--casing",
    "snake_case",
    "--name",
    "init",
    "--out",
    out,
  ];
  const result = spawnSync(process.execPath, [drizzleKit, "generate", ...options], { cwd: ROOT, encoding: "utf8" });
  if (!readdirSync(out).includes(`${INIT}.sql`)) throw new Error(`drizzle-kit generated nothing:\n${result.stdout}${result.stderr}`);
}

type Journal = {
  version: string;
  dialect: string;
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
};

/** Keeps the migrations written by hand, and gives them snapshots and times that follow the new first one. */
function replace(out: string): number {
  const meta = join(MIGRATIONS, "meta");
  const kept = readdirSync(MIGRATIONS)
    .filter((file) => /^\d{4}_.*\.sql$/.test(file) && file !== `${INIT}.sql`)
    .sort();
  for (const file of readdirSync(meta)) if (file.endsWith("_snapshot.json")) rmSync(join(meta, file));
  copyFileSync(join(out, `${INIT}.sql`), join(MIGRATIONS, `${INIT}.sql`));
  const snapshot = JSON.parse(readFileSync(join(out, "meta", "0000_snapshot.json"), "utf8"));
  writeFileSync(join(meta, "0000_snapshot.json"), JSON.stringify(snapshot, null, 2));
  const journal: Journal = JSON.parse(readFileSync(join(out, "meta", "_journal.json"), "utf8"));
  const first = journal.entries[0];
  if (first === undefined) throw new Error("drizzle-kit wrote an empty journal");
  let previous = snapshot;
  for (const [index, file] of kept.entries()) {
    previous = { ...previous, id: randomUUID(), prevId: previous.id };
    writeFileSync(join(meta, `${file.slice(0, 4)}_snapshot.json`), JSON.stringify(previous, null, 2));
    journal.entries.push({ ...first, idx: index + 1, when: first.when + index + 1, tag: file.slice(0, -".sql".length) });
  }
  writeFileSync(join(meta, "_journal.json"), `${JSON.stringify(journal, null, 2)}\n`);
  process.stdout.write(`Wrote ${INIT}.sql; kept ${kept.join(", ")}. A sandbox made before needs \`rm -rf .data\`.\n`);
  return 0;
}

process.exit(main());

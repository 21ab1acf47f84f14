import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Migration = {
  /** The file's name without its ending: `0001_rules`. */
  tag: string;
  /** Of the whole file. A database remembers by it what it has. */
  hash: string;
  /** Goes into the same record; nothing is decided by it. */
  when: number;
  statements: readonly string[];
};

export const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

/** What this version of the program knows of the schema: every migration, in order. */
export function readMigrations(folder = MIGRATIONS): readonly Migration[] {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8"));
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), "utf8");
    return { tag, when, hash: createHash("sha256").update(text).digest("hex"), statements: text.split("--> statement-breakpoint") };
  });
}

/** Each release with the hash of every migration that it added, the oldest first. */
export type Releases = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function readReleases(folder = MIGRATIONS): Releases {
  return JSON.parse(readFileSync(join(folder, "releases.json"), "utf8"));
}

/**
 * How many migrations a program must know at least to run beside this version: as many as the release before it did. A migration
 * is safe while the version before still runs, and says nothing of older ones.
 */
export function oldestCompanion(migrations: readonly Migration[], releases: Releases): number {
  const released = Object.values(releases).map((files) => Object.keys(files).length);
  const upTo = released.map((_, index) => released.slice(0, index + 1).reduce((sum, count) => sum + count, 0));
  return upTo.filter((count) => count < migrations.length).at(-1) ?? migrations.length;
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Migration = {
  /** The file's name without its ending: `0001_rules`. */
  tag: string;
  /** The hash of the whole file, by which a database remembers applied migrations. */
  hash: string;
  /** Goes into the same record; nothing is decided by it. */
  when: number;
  statements: readonly string[];
};

export const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

/** The schema versions that this version of the program knows: every migration, in order. */
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
 * The least number of migrations that a program must know to run next to this version: as many as the previous release. A migration is safe
 * while the previous version still runs, and promises nothing for older ones.
 */
export function oldestCompanion(migrations: readonly Migration[], releases: Releases): number {
  const released = Object.values(releases).map((files) => Object.keys(files).length);
  const upTo = released.map((_, index) => released.slice(0, index + 1).reduce((sum, count) => sum + count, 0));
  return upTo.filter((count) => count < migrations.length).at(-1) ?? migrations.length;
}

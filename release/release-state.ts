import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrations, readReleases } from "#db/migration-files.ts";
import { readVersions } from "#scripts/versions.ts";

/** One sentence for each problem in the files that prevents this commit from being that version. */
export function findReleaseTrouble(root: string, version: string): string[] {
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  const dirty = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).trim();
  return [
    ...(dirty === "" ? [] : [`there are changes that no commit has:\n${dirty}`]),
    ...readVersions(root).flatMap(({ path, versions }) => {
      const others = versions.filter((other) => other !== version);
      return others.length === 0 ? [] : [`${path} says ${others.join(", ")}`];
    }),
    ...findChangelogTrouble(text("CHANGELOG.md"), version),
    ...SDK_CHANGELOGS.flatMap((path) => findSectionTrouble(path, text(path), version)),
    ...findFreezeTrouble(version),
    ...(existsSync(join(root, "db", "migrations", "seeds", `${version}.gz`)) ? [] : [`db/migrations/seeds has no rows of ${version}`]),
    ...findSupportTrouble(text("SECURITY.md"), version),
  ];
}

/** The table of versions has a line for this one. */
export function findSupportTrouble(security: string, version: string): string[] {
  const line = `${version.split(".").slice(0, 2).join(".")}.x`;
  const isListed = security.split("\n").some((each) => each.startsWith(`| ${line} |`));
  return isListed ? [] : [`SECURITY.md does not say for how long ${line} is looked after`];
}

/** Each SDK's package carries its own. */
export const SDK_CHANGELOGS = ["typescript", "python", "go", "php"].map((language) => `sdk/${language}/CHANGELOG.md`);

const sectionsOf = (changelog: string): string[] => changelog.split(/^## /mu).slice(1);
const sectionOf = (changelog: string, version: string) => sectionsOf(changelog).find((section) => section.startsWith(`${version} (`));

/** The version has a dated section, and nothing waits above it. */
function findSectionTrouble(name: string, changelog: string, version: string): string[] {
  const waiting = sectionsOf(changelog).find((section) => section.startsWith("Unreleased")) ?? "";
  return [
    ...(waiting.replace("Unreleased", "").trim() === "" ? [] : [`${name} has changes under Unreleased`]),
    ...(sectionOf(changelog, version) === undefined ? [`${name} has no section "## ${version} (date)"`] : []),
  ];
}

/** The version has a dated section with upgrade notes, and nothing is unreleased above it. */
export function findChangelogTrouble(changelog: string, version: string): string[] {
  const own = sectionOf(changelog, version);
  return [
    ...findSectionTrouble("CHANGELOG.md", changelog, version),
    ...(own !== undefined && !/^### Upgrading$/mu.test(own)
      ? [`CHANGELOG.md does not say how to come to ${version} ("### Upgrading")`]
      : []),
  ];
}

/**
 * Turns "Unreleased" into the version's section, with its date.
 *
 * @throws Error if it has no upgrade notes
 */
export function nameRelease(changelog: string, version: string, day: string): string {
  if (changelog.includes(`\n## ${version} (`)) throw new Error(`CHANGELOG.md has ${version} already.`);
  const named = changelog.replace(/^## Unreleased$/mu, `## Unreleased\n\n## ${version} (${day})`);
  const trouble = findChangelogTrouble(named, version);
  if (trouble.length > 0) throw new Error(`${trouble.join(".\n")}.`);
  return named;
}

/** The same for an SDK, whose version may change nothing. */
export function nameSdkRelease(changelog: string, version: string, day: string): string {
  const isEmpty = /^## Unreleased\s*(?=^## )/mu.test(changelog);
  const section = `## Unreleased\n\n## ${version} (${day})${isEmpty ? "\n\nNothing changed but the version." : ""}`;
  return changelog.replace(/^## Unreleased$/mu, section);
}

/** Every migration is carried away by this release or one before, unchanged. */
function findFreezeTrouble(version: string): string[] {
  const releases = readReleases();
  const carried = new Map(Object.values(releases).flatMap((files) => Object.entries(files)));
  const loose = readMigrations().flatMap(({ tag, hash }) => {
    const frozen = carried.get(`${tag}.sql`);
    if (frozen === undefined) return [`${tag} is in no release`];
    return frozen === hash ? [] : [`${tag} was changed after its release`];
  });
  return loose.length === 0 ? [] : [...loose, `run: npm run release:freeze -- ${version}`];
}

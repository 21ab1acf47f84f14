import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Anyone who carries the project's version, and how often: one and the same everywhere, for the SDKs' types are this version's documents. */
const CARRIERS: readonly { path: string; version: RegExp; times: number }[] = [
  { path: "package.json", version: /(?<=^ {2}"version": ")[^"]+/gm, times: 1 },
  // The project's twice, and the sandbox's packages'.
  { path: "package-lock.json", version: /(?<="name": "settlement-(?:service|sandbox)",\n\s+"version": ")[^"]+/g, times: 3 },
  { path: "sandbox/packages/package.json", version: /(?<=^ {2}"version": ")[^"]+/gm, times: 1 },
  { path: "sdk/typescript/package.json", version: /(?<=^ {2}"version": ")[^"]+/gm, times: 1 },
  { path: "sdk/python/pyproject.toml", version: /(?<=^version = ")[^"]+/gm, times: 1 },
  { path: "sdk/typescript/src/version.ts", version: /(?<=^export const VERSION = ")[^"]+/gm, times: 1 },
  { path: "sdk/python/src/settlement_sdk/version.py", version: /(?<=^__version__ = ")[^"]+/gm, times: 1 },
  { path: "sdk/go/version.go", version: /(?<=^const Version = ")[^"]+/gm, times: 1 },
  { path: "sdk/php/composer.json", version: /(?<=^ {2}"version": ")[^"]+/gm, times: 1 },
  { path: "sdk/php/src/Version.php", version: /(?<= const VERSION = ')[^']+/gm, times: 1 },
  { path: "compose.yaml", version: /(?<=\$\{SETTLEMENT_VERSION:-)[^}]+/g, times: 1 },
];

/** A file for each carrier, with the versions that it names. */
export function readVersions(root: string): { path: string; versions: string[] }[] {
  return CARRIERS.map(({ path, version, times }) => {
    const versions = readFileSync(join(root, path), "utf8").match(version) ?? [];
    if (versions.length !== times) throw new Error(`${path} names the version ${versions.length} times, not ${times}.`);
    return { path, versions };
  });
}

/** Writes the version in every place. */
export function writeVersions(root: string, version: string): void {
  for (const { path, version: place } of CARRIERS) {
    const file = join(root, path);
    writeFileSync(file, readFileSync(file, "utf8").replace(place, version));
  }
}

import { createHash } from "node:crypto";
import { join } from "node:path";
import { ROOT } from "#scripts/suites.ts";

/** The list of all releases: a line for each, with the SHA-256 of its `SHA256SUMS`. It is a file of the repository and only grows. */
export const RELEASES = join(ROOT, "releases.txt");

/** The list with that release. @throws Error where it has the version with other files */
export function withRelease(list: string, version: string, sums: Uint8Array): string {
  if (listedSums(list, version) !== null) {
    expectListed(list, version, sums);
    return list;
  }
  return `${list}${version} ${hashOfSums(sums)}\n`;
}

/** @throws Error where the list does not have the version, or has it with other files */
export function expectListed(list: string, version: string, sums: Uint8Array): void {
  const listed = listedSums(list, version);
  if (listed === null) throw new Error(`releases.txt does not list ${version}. Run git pull --ff-only, which refuses a rewritten list.`);
  if (listed !== hashOfSums(sums)) throw new Error(`${version} is listed with other files. Do not install these, and ask the maintainers.`);
}

function listedSums(list: string, version: string): string | null {
  const line = list.split("\n").find((each) => each.startsWith(`${version} `));
  return line === undefined ? null : line.slice(version.length + 1);
}

const hashOfSums = (sums: Uint8Array) => createHash("sha256").update(sums).digest("hex");

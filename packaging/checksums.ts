import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const CHECKSUMS = "SHA256SUMS";

/** Writes `SHA256SUMS` over these files of the folder, as `sha256sum -c` reads it, in the order of their names; answers its path. */
export function writeChecksums(folder: string, names: readonly string[]): string {
  const sumOf = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  const path = join(folder, CHECKSUMS);
  writeFileSync(
    path,
    names
      .toSorted()
      .map((name) => `${sumOf(name)}  ${name}\n`)
      .join(""),
  );
  return path;
}

import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Renames a completely written file to its final name. A power cut never leaves the name without the file and, once this has returned,
 * loses neither.
 */
export function putInPlace(part: string, file: string): void {
  sync(part, "r+");
  renameSync(part, file);
  sync(dirname(file), "r");
}

function sync(path: string, flags: "r" | "r+"): void {
  const opened = openSync(path, flags);
  fsyncSync(opened);
  closeSync(opened);
}

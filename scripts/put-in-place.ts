import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";

/** Gives a file that was written as a whole its name, so that a power cut leaves no name without the file, and, once this has returned, takes neither. */
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

import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** On Linux, files here are in memory. */
const FOLDER = "/dev/shm";
/** As everything is called that is put there. */
const PREFIX = "settlement-";
/** Longer than anything is needed. */
const LEFT_BEHIND_MS = 24 * 3_600_000;
/** Far more than any test run has at a time, of the folder and of the machine's memory. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * A folder in memory for temporary data, if the machine has space; null: use the disk. A test run creates and drops hundreds of databases
 * of hundreds of files each, which costs a disk's file system more than the tests themselves.
 */
export function memoryFolder(): string | null {
  if (!existsSync(FOLDER) || !isRunnable() || freemem() < ROOM_BYTES) return null;
  removeLeftBehind();
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize < ROOM_BYTES ? null : FOLDER;
}

/** Programs may have to be copied next to the data; containers tend to forbid running them there. */
function isRunnable(): boolean {
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .findLast((line) => line.split(" ")[1] === FOLDER);
  return mount !== undefined && !mount.split(" ")[3]?.split(",").includes("noexec");
}

/** What runs that were killed have left: on a disk it would lie there, here it would be missed. */
function removeLeftBehind(): void {
  for (const name of readdirSync(FOLDER).filter((entry) => entry.startsWith(PREFIX))) {
    const path = join(FOLDER, name);
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeAt < LEFT_BEHIND_MS) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {} // somebody else's
  }
}

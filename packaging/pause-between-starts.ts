/**
 * Prevents a failing unit from starting every second: `ExecStartPre` waits, longer with more starts in the last ten minutes, up to half a
 * minute. It never gives up. systemd 252 lacks the growing restart delay of version 254.
 *
 * The starts are recorded in `RUNTIME_DIRECTORY`, which systemd keeps while it restarts the unit and removes when the unit is stopped.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const COUNTED_MS = 600_000;
/** By how many starts there were before, in seconds. */
const PAUSES = [0, 0, 0, 1, 2, 4, 8, 16, 30];

/** How long the next start waits, in milliseconds, and which starts still count. All are milliseconds since 1970. */
export function pauseAfter(starts: readonly number[], now: number): { pauseMs: number; counted: number[] } {
  const counted = starts.filter((at) => at <= now && now - at < COUNTED_MS);
  return { pauseMs: 1_000 * (PAUSES[Math.min(counted.length, PAUSES.length - 1)] ?? 0), counted };
}

function startsIn(file: string): number[] {
  try {
    return readFileSync(file, "utf8").split("\n").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

const { RUNTIME_DIRECTORY: folder } = process.env;
if (import.meta.main && folder !== undefined) {
  const file = join(folder, "starts");
  const { pauseMs, counted } = pauseAfter(startsIn(file), Date.now());
  if (pauseMs > 0) process.stderr.write(`Started ${counted.length} times in ten minutes: waiting ${pauseMs / 1_000} s.\n`);
  await sleep(pauseMs);
  writeFileSync(file, [...counted, Date.now()].join("\n"));
}

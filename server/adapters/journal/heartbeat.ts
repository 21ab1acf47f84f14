import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { Heartbeat } from "#domain/lapsing-signer.ts";

const EVERY_MS = 5_000;
const Beat = z.object({ at: z.coerce.date(), size: z.int().min(0) });

/**
 * Keeps, in a file next to the journal, when a signer last had it, and how large it was. A journal that is smaller now is another one. Where it
 * cannot be written, the next start takes it for a long absence.
 */
export function openHeartbeat(journal: string, everyMs = EVERY_MS): Heartbeat {
  const file = `${journal}.alive`;
  const last = readLast(journal, file);
  let beaten = 0;
  return {
    last,
    beat() {
      if (Date.now() - beaten < everyMs) return;
      beaten = Date.now();
      const draft = `${file}.${randomUUID()}`;
      try {
        writeFileSync(draft, JSON.stringify({ at: new Date(), size: statSync(journal).size }), { mode: 0o600 });
        renameSync(draft, file);
      } catch {
        rmSync(draft, { force: true });
      }
    },
  };
}

/** Undefined: there is no journal yet, so this process begins it. */
function readLast(journal: string, file: string): Date | null | undefined {
  try {
    if (!existsSync(journal)) return undefined;
    const { at, size } = Beat.parse(JSON.parse(readFileSync(file, "utf8")));
    return statSync(journal).size < size ? null : at;
  } catch {
    return null;
  }
}

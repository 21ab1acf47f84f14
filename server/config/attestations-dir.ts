import { resolve } from "node:path";
import type { Variables } from "./variables.ts";

/** Where the daily attestations are written; null: nowhere. The sandbox keeps them with its data. */
export function attestationsDirOf({ MODE, DATA_DIR, ATTESTATIONS_DIR }: Variables): string | null {
  if (ATTESTATIONS_DIR !== undefined) return resolve(ATTESTATIONS_DIR);
  return MODE === "sandbox" ? resolve(DATA_DIR, "attestations") : null;
}

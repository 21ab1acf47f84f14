import { join, resolve } from "node:path";
import type { Variables } from "./variables.ts";

/** The file of the signing journal; in the sandbox in its data folder. */
export function signingJournalOf({ SIGNING_JOURNAL, DATA_DIR }: Variables): string {
  return SIGNING_JOURNAL ?? join(resolve(DATA_DIR), "signing-journal.log");
}

import { join, resolve } from "node:path";
import type { Variables } from "./variables.ts";

/** The file of the signing journal; in the sandbox in its data folder. */
export function signingJournalOf({ SIGNING_JOURNAL, DATA_DIR }: Variables): string {
  return SIGNING_JOURNAL ?? join(resolve(DATA_DIR), "signing-journal.log");
}

/** Live mode has no default: the file must outlive the machine's next start. */
export function reportSigningJournal({ MODE, SIGNING_JOURNAL, SIGNER_CAPS }: Variables, report: (problem: string) => void): void {
  if (MODE === "live" && SIGNING_JOURNAL === undefined)
    report(
      "SIGNING_JOURNAL is missing: the file of all workers in which they keep what they signed, such as /var/lib/settlement-worker/signing-journal.log.",
    );
  if (SIGNER_CAPS !== undefined) report("SIGNER_CAPS is set without SIGNER_SOCKET: only a signer of its own keeps caps.");
}

import { findAttestation, listAttestationsAfter } from "#db/queries/attestations/attestations.ts";
import type { AttestationFolder } from "#domain/attestation.ts";
import type { Uses } from "#server/context.ts";
import { type AttestOptions, attestDay } from "./attest-day.ts";

const BATCH = 50;

/** The folder and the database disagree: one of them was changed, or the database was restored from a backup. */
export class AttestationsDisagree extends Error {
  override readonly name = "AttestationsDisagree";

  constructor(what: string) {
    super(`${what}: no attestation is made (docs/runbooks/attestations.md)`);
  }
}

/**
 * Makes the day's attestation where it is due, and writes each one that this worker's folder lacks. The bytes come from the database, so a
 * repeated write after a crash writes the same. Nothing is made while the folder's newest attestation is not the database's.
 *
 * @returns when the newest attestation in the folder was made; null: there is none
 * @throws AttestationsDisagree
 */
export async function keepAttestations(
  ctx: Uses<"db" | "evm" | "auditKey" | "log">,
  folder: AttestationFolder,
  options: AttestOptions = {},
): Promise<Date | null> {
  const newest = (await folder.days()).at(-1) ?? null;
  const known = newest === null ? null : await findAttestation(ctx.db, newest);
  if (newest !== null && known === null) throw new AttestationsDisagree(`the database does not know the attestation of ${newest}`);
  // Completes a file that a crash cut short.
  if (known !== null && !(await folder.write(known.day, known.content)))
    throw new AttestationsDisagree(`the attestation of ${known.day} is another in the folder than in the database`);
  const made = await attestDay(ctx, options);
  if (made !== null) ctx.log.info({ day: made }, "the day is attested");
  let last = known;
  for (;;) {
    const rows = await listAttestationsAfter(ctx.db, last?.day ?? null, BATCH);
    for (const row of rows) {
      if (!(await folder.write(row.day, row.content)))
        throw new AttestationsDisagree(`the folder has another attestation of ${row.day} than the database`);
      options.observe?.("written");
      last = row;
    }
    if (rows.length < BATCH) return last?.madeAt ?? null;
  }
}

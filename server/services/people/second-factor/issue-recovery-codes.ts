import type { Database } from "#db/client.ts";
import { replaceRecoveryCodes } from "#db/queries/people/recovery-codes.ts";
import { newRecoveryCodes, recoveryCodeHash } from "#domain/recovery-code.ts";

/** Ten new codes, told this once and stored hashed; those before them are worth nothing any more. `now`: real time. */
export async function issueRecoveryCodes(tx: Database, userId: string, now: Date): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.flatMap((code) => recoveryCodeHash(code) ?? []);
  await replaceRecoveryCodes(tx, userId, hashes, now);
  return codes;
}

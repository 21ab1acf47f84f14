import { type Attestation, hashOfAttestation, readAttestation } from "#domain/attestation.ts";
import type { AuditKey } from "#domain/audit-key.ts";

/** A file as it was found. */
export type AttestationFile = { name: string; content: string };
/** An attestation that this installation's key has signed, and what the next one names it by. */
export type Genuine = { attestation: Attestation; hash: string };

/** Null, with the reason among the faults, where it proves nothing. */
export function readGenuine(
  { name, content }: AttestationFile,
  { keys, installation }: { keys: readonly AuditKey[]; installation: string | null },
  faults: string[],
): Genuine | null {
  const read = readAttestation(content);
  if (read === null) {
    faults.push("it is no attestation as a worker writes it: it was changed, or cut off");
    return null;
  }
  const { attestation, text, signature } = read;
  const known = keys.filter(({ attested }) => attested !== null);
  if (known.length === 0) faults.push("its signature was not verified: AUDIT_PUBLIC_KEY is not set");
  else if (!known.some(({ attested }) => attested?.(text, signature))) {
    const isOurs = known.some(({ publicKey }) => publicKey === attestation.key);
    if (isOurs) faults.push("it was changed after it was signed");
    else faults.push(`the key ${attestation.key} has signed it, and this installation's is ${known[0]?.publicKey}`);
  } else if (attestation.installation !== installation)
    faults.push(`it is of another installation: its audit log begins with ${attestation.installation}, and this one with ${installation}`);
  if (faults.length > 0) return null;
  if (/^\d{4}-\d{2}-\d{2}\.json$/.test(name) && name !== `${attestation.day}.json`) faults.push(`it is of ${attestation.day}`);
  return { attestation, hash: hashOfAttestation(content) };
}

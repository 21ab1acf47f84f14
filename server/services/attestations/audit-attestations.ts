import type { Database } from "#db/client.ts";
import { listAttestedDays } from "#db/queries/attestations/attestations.ts";
import { findFirstSeal } from "#db/queries/attestations/attested-books.ts";
import type { RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import type { Attestation } from "#domain/attestation.ts";
import type { AuditKey, ChainEnd } from "#domain/audit-key.ts";
import type { Uses } from "#server/context.ts";
import type { EvmDirectory } from "#server/ports.ts";
import { Findings } from "#server/services/ledger/audit-report.ts";
import { auditAttestedBooks } from "./audit-attested-books.ts";
import { auditAttestedChains } from "./audit-attested-chains.ts";
import { type AttestationFile, type Genuine, readGenuine } from "./read-genuine.ts";

/** `isFolder`: these are all files of a folder, so none may be missing. */
export type KeptAttestations = { files: readonly AttestationFile[]; isFolder: boolean };

export type AuditedAttestations = {
  outcomes: RuleOutcome[];
  /** The ends of the audit log that they name. */
  ends: ChainEnd[];
  /** What could not be compared. It contradicts nothing. */
  notes: string[];
};

/**
 * Compares attestations that were kept elsewhere with each other, and the present database and chains with them. Each disagreement is one
 * sentence. `formerKeys`: keys of earlier days. `evm` omitted: the chains are not asked.
 */
export async function auditAttestations(
  ctx: Uses<"db" | "auditKey"> & { evm?: EvmDirectory; formerKeys?: readonly AuditKey[] },
  kept: KeptAttestations,
): Promise<AuditedAttestations> {
  const installation = await findFirstSeal(ctx.db);
  const keys = [ctx.auditKey, ...(ctx.formerKeys ?? [])];
  const signed = new Findings();
  const genuine: Genuine[] = [];
  for (const file of kept.files) {
    const faults: string[] = [];
    const read = readGenuine(file, { keys, installation }, faults);
    signed.check(file.name, faults);
    if (read !== null) genuine.push(read);
  }
  if (kept.files.length === 0) signed.check("the folder", ["there is no attestation in it"]);
  genuine.sort((one, other) => (one.attestation.day < other.attestation.day ? -1 : 1));
  const chains = ctx.evm === undefined ? null : await auditAttestedChains(ctx.evm, genuine);
  return {
    outcomes: [
      signed.outcome("attestations_are_genuine", "every attestation is as this installation's key has signed it"),
      await auditChain(ctx.db, kept, genuine),
      await auditAttestedBooks(ctx.db, genuine),
      ...(chains === null ? [] : [chains.outcome]),
    ],
    ends: genuine.map(({ attestation }) => attestation.audit_log),
    notes: chains?.notes ?? [],
  };
}

/** Each continues from the one before it, none is missing, and the database knows the same. */
async function auditChain(db: Database, { isFolder }: KeptAttestations, genuine: readonly Genuine[]): Promise<RuleOutcome> {
  const links = new Findings();
  const known = new Map((await listAttestedDays(db)).map(({ day, hash }) => [day, hash]));
  for (const [index, { attestation, hash }] of genuine.entries()) {
    const { day, previous } = attestation;
    const before = genuine[index - 1];
    const faults = isFolder || before !== undefined ? linkFaults(previous, before) : [];
    const stored = known.get(day);
    if (stored === undefined) faults.push("the database does not know it: it was restored from an earlier backup, or the row was removed");
    else if (stored !== hash) faults.push("the database has another attestation of this day");
    links.check(day, faults);
  }
  const days = new Set(genuine.map(({ attestation }) => attestation.day));
  if (isFolder)
    for (const day of known.keys()) if (!days.has(day)) links.check(day, ["it is missing: the database knows an attestation of this day"]);
  return links.outcome("attestations_follow_each_other", "each attestation continues from the one before it, and none is missing");
}

function linkFaults(previous: Attestation["previous"], before: Genuine | undefined): string[] {
  if (previous === null) return before === undefined ? [] : [`it is a first one, though there is one of ${before.attestation.day}`];
  if (before === undefined || before.attestation.day < previous.day)
    return [`the attestation of ${previous.day} is missing, from which it continues`];
  if (before.attestation.day > previous.day)
    return [`it continues from ${previous.day}, and not from ${before.attestation.day}, which is there`];
  return before.hash === previous.hash ? [] : [`it continues from another attestation of ${previous.day} than the one that is there`];
}

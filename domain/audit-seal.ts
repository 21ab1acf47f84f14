import { createHash } from "node:crypto";

/** An entry of the audit log as a seal goes over it: every field, the change as the text that the database keeps of it. */
export type SealedEntry = {
  id: string;
  at: Date;
  partnerId: string | null;
  actorType: string;
  actorId: string | null;
  action: string;
  objectId: string;
  reason: string | null;
  change: string;
  requestId: string | null;
};

/** `signature`: of the key that only the worker has, over this end of the chain; null: another seal ends the batch, or there was no key. `completeAt`: with this seal, everything is sealed that was written by then; null: more was waiting. */
export type Seal = { seq: number; entryId: string; sealedAt: Date; completeAt: Date | null; hash: string; signature: string | null };

/** What the first seal follows. */
export const NO_SEAL: Pick<Seal, "seq" | "hash"> = { seq: 0, hash: "" };

/**
 * The hash of a seal, hex: SHA-256 over the hash before it, its own number and instants, and the entry, as one JSON array without white
 * space in the order below. Anybody can compute it again with a few lines of any language (`docs/decisions/audit-chain.md`).
 */
export function sealHash(previousHash: string, seal: Omit<Seal, "hash" | "signature">, entry: SealedEntry): string {
  const rendering = JSON.stringify([
    previousHash,
    seal.seq,
    seal.sealedAt.toISOString(),
    seal.completeAt?.toISOString() ?? null,
    entry.id,
    entry.at.toISOString(),
    entry.partnerId,
    entry.actorType,
    entry.actorId,
    entry.action,
    entry.objectId,
    entry.reason,
    entry.change,
    entry.requestId,
  ]);
  return createHash("sha256").update(rendering).digest("hex");
}

/** A flaw in the chain, in words for people. */
export type ChainFlaw = { seq: number | null; entryId: string | null; flaw: string };

/** How long an action may take from its instant to its commit. An entry dated further back than what is sealed was not written when it says. */
const LATENESS_MS = 15 * 60_000;

/** What a walk along the chain has to remember from one seal to the next. */
export type ChainPosition = Pick<Seal, "seq" | "hash"> & { completeAt: Date | null };

/**
 * Judges the next seal of the chain beside the entry that it names as that now is (null: gone), and says where the walk stands then.
 * After a flaw it goes on with what is stored, so that each flaw is named by itself. `datesHold`: business time cannot be moved here.
 */
export function judgeSeal(
  before: ChainPosition,
  seal: Seal,
  entry: SealedEntry | null,
  datesHold: boolean,
): { flaws: ChainFlaw[]; after: ChainPosition } {
  const flaws: ChainFlaw[] = [];
  const found = (flaw: string) => flaws.push({ seq: seal.seq, entryId: seal.entryId, flaw });
  const gap = seal.seq - before.seq;
  if (gap !== 1) {
    const missing = gap === 2 ? `Seal #${before.seq + 1} is` : `Seals #${before.seq + 1} to #${seal.seq - 1} are`;
    flaws.push({ seq: before.seq + 1, entryId: null, flaw: `${missing} missing.` });
  }
  if (entry === null) found("Its entry was removed.");
  // Across a gap the hash before is not known: nothing can be said of this one.
  else if (gap === 1 && sealHash(before.hash, seal, entry) !== seal.hash) found("The entry, or its seal, was altered after it was sealed.");
  else if (datesHold && entry.at.getTime() < latestHonest(before, seal)) found("The entry was written later than it says.");
  return { flaws, after: { seq: seal.seq, hash: seal.hash, completeAt: seal.completeAt ?? before.completeAt } };
}

function latestHonest(before: ChainPosition, seal: Seal): number {
  return Math.min(before.completeAt?.getTime() ?? 0, seal.sealedAt.getTime()) - LATENESS_MS;
}

import { createHash } from "node:crypto";

/** An audit entry as a seal covers it: every field, with the change as the text that the database stores. */
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

/**
 * `signature`: by the worker's key over this end of the chain; null: another seal ends the batch, or there was no key. `completeAt`: with
 * this seal, everything written by then is sealed; null: more was waiting.
 */
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

/** The longest time from an action's instant to its commit. An entry dated earlier than that before sealed ones was backdated. */
const LATENESS_MS = 15 * 60_000;

/** What a walk along the chain has to remember from one seal to the next. */
export type ChainPosition = Pick<Seal, "seq" | "hash"> & { completeAt: Date | null };

/**
 * Judges the next seal of the chain against its entry's present content (null: gone), and returns the new position. After a flaw it
 * continues from the stored hash, so that each flaw is reported separately. `datesHold`: business time cannot be moved here.
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
  // After a gap the previous hash is unknown, so this one cannot be judged.
  else if (gap === 1 && sealHash(before.hash, seal, entry) !== seal.hash) found("The entry, or its seal, was altered after it was sealed.");
  else if (datesHold && entry.at.getTime() < latestHonest(before, seal)) found("The entry was written later than it says.");
  return { flaws, after: { seq: seal.seq, hash: seal.hash, completeAt: seal.completeAt ?? before.completeAt } };
}

function latestHonest(before: ChainPosition, seal: Seal): number {
  return Math.min(before.completeAt?.getTime() ?? 0, seal.sealedAt.getTime()) - LATENESS_MS;
}

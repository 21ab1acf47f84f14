import { findLastSeal, holdSealing, insertSeals, listUnsealed } from "#db/queries/audit/audit-seals.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { NO_SEAL, type Seal, sealHash } from "#domain/audit-seal.ts";
import type { Uses } from "#server/context.ts";

export const SEALING_BATCH = 500;

/**
 * Seals the entries that wait, oldest first, at most a batch: their numbers have no gap, and each hash goes over the one before. Whoever
 * writes an entry waits for nothing; of several workers one seals at a time.
 *
 * @returns how many were sealed, and the last seal where there were any
 */
export async function sealAuditLog(ctx: Uses<"db">): Promise<{ sealed: number; last: Seal | null }> {
  return await ctx.db.transaction(async (tx) => {
    if (!(await holdSealing(tx))) return { sealed: 0, last: null };
    // Before what waits is read: what is committed in between is sealed earlier than it had to be, never later.
    const sealedAt = await readBusinessNow(tx);
    const waiting = await listUnsealed(tx, SEALING_BATCH);
    if (waiting.length === 0) return { sealed: 0, last: null };
    let { seq, hash } = (await findLastSeal(tx)) ?? NO_SEAL;
    const seals = waiting.map((entry, index): Seal => {
      const isLast = index === waiting.length - 1 && waiting.length < SEALING_BATCH;
      const seal = { seq: seq + 1, entryId: entry.id, sealedAt, completeAt: isLast ? sealedAt : null };
      seq = seal.seq;
      hash = sealHash(hash, seal, entry);
      return { ...seal, hash };
    });
    await insertSeals(tx, seals);
    return { sealed: seals.length, last: seals.at(-1) ?? null };
  });
}

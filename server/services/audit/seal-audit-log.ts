import type { Database } from "#db/client.ts";
import {
  clockCanMove,
  findLastSeal,
  findPosition,
  findSealBefore,
  hasUnsealed,
  insertSeals,
  listBrokenAnchors,
  listSeals,
  listStrays,
  listUnsealed,
  lockSealing,
} from "#db/queries/audit/audit-seals.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { isBrought } from "#db/queries/settlements/outbox.ts";
import { type AuditKey, type ChainEnd, mayGoOn, NO_AUDIT_KEY, readConfiguredEnd } from "#domain/audit-key.ts";
import { type ChainFlaw, type ChainPosition, judgeSeal, NO_SEAL, type Seal, sealHash } from "#domain/audit-seal.ts";
import type { Uses } from "#server/context.ts";

export const SEALING_BATCH = 500;

/** On Citus an entry comes from its node within a second. Later than this, nothing written by then counts as sealed: less than a chain allows. */
const OUTBOX_LATENESS_MS = 5 * 60_000;

/**
 * Seals waiting entries, oldest first, at most one batch. Their numbers have no gap, and each hash covers the one before. Writers of
 * entries never wait, and only one worker seals at a time.
 *
 * With a key, the last seal is signed. Nothing is sealed after an end that the key has not signed: otherwise the next seal would confirm a
 * chain that somebody has rewritten.
 *
 * @returns how many were sealed, and the last seal where there were any
 * @throws UnsignedEnd
 */
export async function sealAuditLog(ctx: Uses<"db"> & Partial<Uses<"auditKey">>): Promise<{ sealed: number; last: Seal | null }> {
  // Most rounds find nothing: one statement in place of a transaction.
  if (!(await hasUnsealed(ctx.db))) return { sealed: 0, last: null };
  const isComplete = await isBrought(ctx.db, OUTBOX_LATENESS_MS);
  return await ctx.db.transaction(async (tx) => {
    if (!(await lockSealing(tx))) return { sealed: 0, last: null };
    // Before what waits is read: what is committed in between is sealed earlier than it had to be, never later.
    const sealedAt = await readBusinessNow(tx);
    const waiting = await listUnsealed(tx, SEALING_BATCH);
    if (waiting.length === 0) return { sealed: 0, last: null };
    const key = ctx.auditKey ?? NO_AUDIT_KEY;
    const end = await findLastSeal(tx);
    if (!mayGoOn(key, end)) throw new UnsignedEnd(end ?? NO_SEAL);
    let { seq, hash } = end ?? NO_SEAL;
    const seals = waiting.map((entry, index): Seal => {
      const isLast = isComplete && index === waiting.length - 1 && waiting.length < SEALING_BATCH;
      const seal = { seq: seq + 1, entryId: entry.id, sealedAt, completeAt: isLast ? sealedAt : null };
      seq = seal.seq;
      hash = sealHash(hash, seal, entry);
      const signature = index === waiting.length - 1 ? (key.sign?.({ seq, hash }) ?? null) : null;
      return { ...seal, hash, signature };
    });
    await insertSeals(tx, seals);
    return { sealed: seals.length, last: seals.at(-1) ?? null };
  });
}

/** The chain does not end where this worker's key has signed it: it was rewritten, or began before there was a key. */
export class UnsignedEnd extends Error {
  override readonly name = "UnsignedEnd";

  constructor({ seq, hash }: ChainEnd) {
    super(`the audit log's chain ends at ${seq}:${hash}, which AUDIT_KEY has not signed: nothing is sealed (docs/runbooks/audit-log.md)`);
  }
}

const PAGE = 1_000;
/** This many seals take a few seconds to verify. One short statement finds entries inserted between them. */
export const RANGE_LENGTH = 50_000;

/** A part of the chain: the seals after a number, up to another. The last one (null) ends where the chain does. */
export type AuditRange = { after: number; upTo: number | null };
export type ChainWalk = { checked: number; seq: number; hash: string; flaws: ChainFlaw[] };

/** `onPage`: how many seals are checked, of how many. An aborted `signal` ends the walk with its reason. */
export type WalkWatch = { onPage?: (progress: { checked: number; of: number }) => void; signal?: AbortSignal };

/**
 * Verifies the chain over the audit log, batch by batch, and returns its flaws: altered, removed, or inserted entries. Flaws are in the
 * order of the chain, those outside of it last. `fromId`: only entries from this id on.
 */
export async function walkAuditChain(db: Database, fromId = "", key: AuditKey = NO_AUDIT_KEY, watch: WalkWatch = {}): Promise<ChainWalk> {
  const first = fromId === "" ? 0 : ((await findSealBefore(db, fromId))?.seq ?? 0);
  const head = (await findLastSeal(db))?.seq ?? 0;
  const ranges: AuditRange[] = [];
  for (let after = first; after + RANGE_LENGTH < head; after += RANGE_LENGTH) ranges.push({ after, upTo: after + RANGE_LENGTH });
  return await walkRanges(db, [...ranges, { after: ranges.at(-1)?.upTo ?? first, upTo: null }], { fromId, key, watch });
}

/** As {@link walkAuditChain}, only these parts of it, and whether it still passes where it once ended. */
export async function walkRanges(
  db: Database,
  ranges: readonly AuditRange[],
  { fromId = "", key = NO_AUDIT_KEY, watch = {} }: { fromId?: string; key?: AuditKey; watch?: WalkWatch } = {},
): Promise<ChainWalk> {
  const last = await findLastSeal(db);
  const head = last ?? NO_SEAL;
  const datesHold = !(await clockCanMove(db));
  const flaws: ChainFlaw[] = [];
  const strays: ChainFlaw[] = [];
  let checked = 0;
  let position: ChainPosition = { ...NO_SEAL, completeAt: null };
  for (const { after, upTo } of ranges) {
    const start = await findPosition(db, after);
    position = start ?? { ...NO_SEAL, completeAt: null };
    const end = upTo === null ? null : await findPosition(db, upTo);
    for (let more = true; more; ) {
      const page = await listSeals(db, { after: position.seq, upTo: end?.seq ?? head.seq, limit: PAGE });
      for (const { seal, entry } of page) {
        const judged = judgeSeal(position, seal, entry, datesHold);
        flaws.push(...judged.flaws);
        position = judged.after;
      }
      flaws.push(...unsigned(key, page.findLast(({ seal }) => seal.signature !== null)?.seal));
      checked += page.length;
      watch.signal?.throwIfAborted();
      watch.onPage?.({ checked, of: head.seq });
      more = page.length === PAGE;
    }
    const from = start === null || start.entryId < fromId ? fromId : start.entryId;
    strays.push(...(await listStrays(db, { from, before: end?.entryId ?? null })));
  }
  if (key.holds !== null && last?.signature === null && last.hash !== readConfiguredEnd(key)?.hash)
    flaws.push({ seq: last.seq, entryId: last.entryId, flaw: "The chain ends in a seal that the worker's key has not signed." });
  const configuredEnd = readConfiguredEnd(key);
  const passed = configuredEnd === null ? [] : await listMissed(db, [configuredEnd]);
  return { checked, seq: position.seq, hash: position.hash, flaws: [...flaws, ...passed, ...(await listBrokenAnchors(db)), ...strays] };
}

/** A later signature covers all entries before it, so only the last one of a page is verified. Before the known end, another key may have signed. */
function unsigned(key: AuditKey, seal: Seal | undefined): ChainFlaw[] {
  if (key.holds === null || seal === undefined || seal.seq <= (readConfiguredEnd(key)?.seq ?? 0)) return [];
  if (key.holds(seal, seal.signature ?? "")) return [];
  return [{ seq: seal.seq, entryId: seal.entryId, flaw: "The signature is not one by the worker's key over the chain as it is here." }];
}

/** Recorded ends of the chain that it no longer contains: it was rewritten or cut off. */
export async function listMissed(db: Database, ends: readonly ChainEnd[]): Promise<ChainFlaw[]> {
  const flaws: ChainFlaw[] = [];
  for (const { seq, hash } of ends) {
    const seal = seq === 0 ? NO_SEAL : await findPosition(db, seq);
    if (seal?.seq === seq && seal.hash === hash) continue;
    flaws.push({ seq, entryId: null, flaw: "The chain does not pass here any more as it did when this was kept." });
  }
  return flaws;
}

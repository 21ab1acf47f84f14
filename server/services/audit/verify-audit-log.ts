import type { Database } from "#db/client.ts";
import {
  findLastVerification,
  findSealBefore,
  insertVerification,
  lockVerifying,
  type Verification,
} from "#db/queries/audit/audit-seals.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { newId } from "#domain/ids.ts";
import type { Uses } from "#server/context.ts";
import { type AuditRange, type ChainWalk, RANGE_LENGTH, type WalkWatch, walkAuditChain, walkRanges } from "./seal-audit-log.ts";

const MOST_NAMED = 50;

/**
 * Verifies the whole chain over the audit log, and stores the result with the end of the chain: a log that is cut off later contradicts it.
 * It changes nothing else. `userId` null: an automatic run. Nothing is stored of one that `watch` ends early.
 */
export async function verifyAuditLog(
  ctx: Uses<"db" | "clock" | "log"> & Partial<Uses<"auditKey">>,
  { userId, ...watch }: { userId: string | null } & WalkWatch,
): Promise<Verification> {
  const begun = ctx.clock.now();
  return await keepVerification(ctx, await walkAuditChain(ctx.db, "", ctx.auditKey, watch), { userId, begun });
}

/** Stores the result of a verification, and logs it. */
export async function keepVerification(
  ctx: Uses<"db" | "clock" | "log">,
  { seq, hash, flaws }: ChainWalk,
  { userId, begun }: { userId: string | null; begun: Date },
): Promise<Verification> {
  const at = await readBusinessNow(ctx.db);
  const verification = {
    id: newId("verification", at),
    at,
    userId,
    seq,
    hash,
    durationMs: ctx.clock.now().getTime() - begun.getTime(),
    flaws: flaws.length,
    named: flaws.slice(0, MOST_NAMED),
  };
  await insertVerification(ctx.db, verification);
  const [first] = flaws;
  // The hash in the log is a witness outside of the database.
  if (first === undefined) ctx.log.info({ seq, hash }, "the audit log is as it was written");
  else ctx.log.error({ seq, hash, flaws: flaws.length, first }, "the audit log is not as it was written");
  return verification;
}

export const VERIFIED_EVERY_MS = 3_600_000;

/**
 * The worker's hourly verification. It covers the chain since the newest verification, and one older range per hour, so that everything is
 * verified in time at a constant cost. A range with known flaws is verified each time, so that they stay reported. One worker does it, at
 * most once an hour, counting manual runs.
 *
 * @returns null if there is nothing to do: a recent verification, another worker is at it, or nothing is sealed
 */
export async function keepAuditLogVerified(
  ctx: Uses<"db" | "clock" | "log"> & Partial<Uses<"auditKey">>,
  { rangeLength = RANGE_LENGTH, everyMs = VERIFIED_EVERY_MS } = {},
): Promise<Verification | null> {
  return await ctx.db.transaction(async (db) => {
    if (!(await lockVerifying(db))) return null;
    const last = await findLastVerification(db);
    const now = await readBusinessNow(db);
    if (last !== null && now.getTime() - last.at.getTime() < everyMs) return null;
    const begun = ctx.clock.now();
    const turn = Math.floor(begun.getTime() / VERIFIED_EVERY_MS);
    const walk = await walkRanges(db, await rangesOf(db, last, { rangeLength, turn }), ctx.auditKey && { key: ctx.auditKey });
    return walk.seq === 0 && walk.flaws.length === 0 ? null : await keepVerification({ ...ctx, db }, walk, { userId: null, begun });
  });
}

async function rangesOf(db: Database, last: Verification | null, { rangeLength, turn }: { rangeLength: number; turn: number }) {
  const anchor = last?.seq ?? 0;
  const older = Math.ceil(anchor / rangeLength);
  const chosen = new Set(older === 0 ? [] : [turn % older]);
  for (const { seq, entryId } of last?.named ?? []) {
    const place = seq ?? (entryId === null ? null : (await findSealBefore(db, entryId))?.seq);
    if (place != null && place <= anchor) chosen.add(Math.max(0, Math.ceil(place / rangeLength) - 1));
  }
  const old = [...chosen].toSorted((one, other) => one - other);
  const ranges = old.map((index): AuditRange => ({ after: index * rangeLength, upTo: Math.min((index + 1) * rangeLength, anchor) }));
  return [...ranges, { after: anchor, upTo: null }];
}

import type { Database } from "#db/client.ts";
import { findSealBefore, holdVerifying } from "#db/queries/audit/audit-seals.ts";
import { findLastVerification, type Verification } from "#db/queries/audit/audit-verifications.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { Uses } from "#server/context.ts";
import { keepVerification } from "./verify-audit-log.ts";
import { STRETCH, type Stretch, walkStretches } from "./walk-audit-chain.ts";

export const VERIFIED_EVERY_MS = 3_600_000;

/**
 * The worker's hourly proof, which costs what was written since and not what was ever written: the chain from where the newest
 * verification ended, and one stretch of what is older, another one each hour, so that in time all of it comes round. A stretch in which
 * flaws are known is looked at each time: they stay named. One worker does it, once an hour, whoever else has asked counts too.
 *
 * @returns null where nothing was to be done: it was verified lately, another worker does it, or nothing is sealed.
 */
export async function keepAuditLogVerified(
  ctx: Uses<"db" | "clock" | "log">,
  { stretch = STRETCH, everyMs = VERIFIED_EVERY_MS } = {},
): Promise<Verification | null> {
  return await ctx.db.transaction(async (db) => {
    if (!(await holdVerifying(db))) return null;
    const last = await findLastVerification(db);
    const now = await readBusinessNow(db);
    if (last !== null && now.getTime() - last.at.getTime() < everyMs) return null;
    const begun = ctx.clock.now();
    const turn = Math.floor(begun.getTime() / VERIFIED_EVERY_MS);
    const walk = await walkStretches(db, await stretchesOf(db, last, { stretch, turn }));
    return walk.seq === 0 && walk.flaws.length === 0 ? null : await keepVerification({ ...ctx, db }, walk, { userId: null, begun });
  });
}

async function stretchesOf(db: Database, last: Verification | null, { stretch, turn }: { stretch: number; turn: number }) {
  const anchor = last?.seq ?? 0;
  const older = Math.ceil(anchor / stretch);
  const chosen = new Set(older === 0 ? [] : [turn % older]);
  for (const { seq, entryId } of last?.named ?? []) {
    const place = seq ?? (entryId === null ? null : (await findSealBefore(db, entryId))?.seq);
    if (place != null && place <= anchor) chosen.add(Math.max(0, Math.ceil(place / stretch) - 1));
  }
  const old = [...chosen].toSorted((one, other) => one - other);
  const stretches = old.map((index): Stretch => ({ after: index * stretch, upTo: Math.min((index + 1) * stretch, anchor) }));
  return [...stretches, { after: anchor, upTo: null }];
}

import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import {
  type ArchiveMonth,
  archiveRows,
  countDue,
  dropArchive,
  isWalkedAgain,
  listArchive,
  listExported,
  listNext,
  lockWalk,
  readCutoff,
  saveWalk,
} from "#db/queries/maintenance/retention.ts";
import { SYSTEM } from "#domain/access.ts";
import { RETAINED, type Retained, type Retention } from "#domain/retention.ts";
import type { Uses } from "#server/context.ts";

/** Few enough that the transaction ends long before a statement's timeout, on any disk. */
const BATCH = 500;

/**
 * Maintenance: moves a batch of each kind of expired rows to the archive, and drops the archive's expired months. Each batch is a short
 * transaction, by one worker at a time per kind, and resumes where it was interrupted. `more`: a page was full, so there may be more.
 */
export async function keepRetention(
  ctx: Uses<"db" | "log">,
  retention: Retention,
): Promise<{ moved: Record<Retained, number>; more: boolean }> {
  const moved = { api_log: 0, callback_attempts: 0, provider_events: 0, lapsed_quotes: 0 };
  let more = false;
  for (const kind of RETAINED) {
    const pass = await archiveNext(ctx, kind, retention[kind]);
    moved[kind] = pass.moved;
    more ||= pass.more;
  }
  await dropOldMonths(ctx, retention.archive);
  return { moved, more };
}

async function archiveNext({ db }: Uses<"db">, kind: Retained, days: number): Promise<{ moved: number; more: boolean }> {
  return await db.transaction(async (tx) => {
    const walk = await lockWalk(tx, kind);
    if (walk === null) return { moved: 0, more: false };
    const before = await readCutoff(tx, kind, days);
    const page = await listNext(tx, kind, { after: walk.after, before, limit: BATCH });
    const moved = page.units.length === 0 ? 0 : await archiveRows(tx, kind, page.units, before);
    const more = page.count === BATCH;
    if (page.last !== null) await saveWalk(tx, kind, page.last);
    else if (isWalkedAgain(kind) && walk.isOld) await saveWalk(tx, kind, "");
    return { moved, more };
  });
}

/** How many recent months count: once one of them, or a due month, was exported, no month is dropped without an export. */
const REMEMBERED_MONTHS = 60;

function lastMonths(count: number): string[] {
  const now = new Date();
  const month = (ago: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7);
  return Array.from({ length: count }, (_, ago) => `archived_rows_${month(ago).replace("-", "_")}`);
}

/**
 * Once months have been exported by `npm run retention -- --export`, no month is dropped before its export. Judged and dropped in one
 * transaction, which has one "now". The database decides itself what it drops, so its result is compared with the judgement here.
 */
async function dropOldMonths(ctx: Uses<"db" | "log">, days: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const due = (await listArchive(tx, days)).flatMap(({ name, isDue }) => (isDue ? [name] : []));
    if (due.length === 0) return;
    const exported = await listExported(tx, [...lastMonths(REMEMBERED_MONTHS), ...due]);
    const unwritten = due.filter((name) => !exported.has(name));
    if (exported.size > 0 && unwritten.length > 0) {
      ctx.log.warn(
        { months: unwritten },
        "months of the archive are due to be dropped, but were not written to a file as those before them",
      );
      return;
    }
    const dropped = await dropArchive(tx, days);
    if (dropped.some((name) => !due.includes(name)))
      throw new Error("A month of the archive became due while others were judged: none is dropped, and all are judged again.");
    for (const objectId of dropped) {
      await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "archive.dropped", objectId, change: { days } });
      ctx.log.info({ month: objectId, days }, "a month of the archive was dropped");
    }
  });
}

export type RetentionForecast = {
  kinds: { kind: Retained; days: number; before: Date; rows: number }[];
  archive: ArchiveMonth[];
};

/** What would go to the archive, and what of the archive would be dropped, if the worker did all of it now. It changes nothing. */
export async function forecastRetention({ db }: Uses<"db">, retention: Retention): Promise<RetentionForecast> {
  const kinds: RetentionForecast["kinds"] = [];
  for (const kind of RETAINED) {
    const before = await readCutoff(db, kind, retention[kind]);
    kinds.push({ kind, days: retention[kind], before, rows: await countDue(db, kind, before) });
  }
  return { kinds, archive: await listArchive(db, retention.archive) };
}

import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findLastSeal } from "#db/queries/audit/audit-seals.ts";
import { findExport, listArchive, listArchived, lockExport } from "#db/queries/maintenance/retention.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";

/** Rows of one statement. */
const BATCH = 2_000;

/** A month of the archive as it was written out. `seal`: where the audit log's chain then ended; null: nothing was sealed yet. */
export type ExportedMonth = { month: string; rows: number; sha256: string; seal: { seq: number; hash: string } | null };

/** Any archiving that began before a month's end has finished by then. */
const GRACE_MS = 86_400_000;

/** Months of the archive that are over: nothing is added to them any more. The oldest first. */
export async function listEndedMonths(ctx: Uses<"db">): Promise<string[]> {
  const months = await listArchive(ctx.db, 0);
  const now = new Date(Date.now() - GRACE_MS).toISOString().slice(0, 7).replace("-", "_");
  return months.map(({ name }) => name).filter((name) => name.slice(-7) < now);
}

/** Every row of a month as a line of JSON, always in the same order: written out again, it is the same file. */
export async function* linesOfMonth(ctx: Uses<"db">, month: string): AsyncGenerator<string> {
  let after: string | null = null;
  for (;;) {
    const page: { place: string; line: string }[] = await listArchived(ctx.db, month, { after, limit: BATCH });
    for (const { line } of page) yield `${line}\n`;
    const last = page.at(-1);
    if (last === undefined || page.length < BATCH) return;
    after = last.place;
  }
}

/** The checksum of an exported month from the audit log, where it is sealed and signed. Null: the month was not exported. */
export async function readExport(ctx: Uses<"db">, month: string): Promise<{ rows: number; sha256: string } | null> {
  return await findExport(ctx.db, month);
}

/**
 * Records the checksum of a month's file in the audit log, once the file is complete and on disk. Repeating it for the same file changes
 * nothing; another file is refused: the first one stays authoritative.
 */
export async function recordMonth(
  ctx: Uses<"db">,
  { month, rows, sha256 }: Pick<ExportedMonth, "month" | "rows" | "sha256">,
): Promise<ExportedMonth> {
  return await ctx.db.transaction(async (tx) => {
    await lockExport(tx, month);
    const before = await findExport(tx, month);
    if (before !== null && before.sha256 !== sha256)
      throw new Error(`Of ${month} the audit log already says ${before.sha256}, not ${sha256}: nothing was recorded.`);
    if (before === null)
      await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "archive.exported", objectId: month, change: { rows, sha256 } });
    const seal = await findLastSeal(tx);
    return { month, rows, sha256, seal: seal && { seq: seal.seq, hash: seal.hash } };
  });
}

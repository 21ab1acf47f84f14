import { type Change, listAuditEntriesAfter } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { firstId, isId } from "#domain/ids.ts";
import type { Uses } from "#server/context.ts";

export type { Change } from "#db/queries/audit/audit-entries.ts";

/**
 * How long a change may take from its instant to its commit and still be noticed: longer than any transaction may last. It is read
 * again and again for that long, so anyone who follows must know what it has seen.
 */
const OVERLAP_MS = 15_000;
const BATCH = 1_000;

/** A place in the audit log from which it is read on. */
export type ChangePosition = { from: string; seen: ReadonlySet<string> };

/** The place of this moment: what is recorded from now on will be found after it. */
export async function startFollowing(ctx: Uses<"db">): Promise<ChangePosition> {
  const now = await readBusinessNow(ctx.db);
  const position = { from: firstId("audit", new Date(now.getTime() - OVERLAP_MS)), seen: new Set<string>() };
  return (await followChanges(ctx, position)).position;
}

/** The position after the entry with that id; null if the id is malformed. */
export function positionAfter(id: string): ChangePosition | null {
  return isId("audit", id) ? { from: id, seen: new Set() } : null;
}

/** The changes since a position, each once, and the next position. */
export async function followChanges(ctx: Uses<"db">, position: ChangePosition): Promise<{ changes: Change[]; position: ChangePosition }> {
  const entries = await listAuditEntriesAfter(ctx.db, position.from, BATCH);
  const changes = entries.filter(({ id }) => !position.seen.has(id));
  const last = entries.at(-1);
  if (last === undefined) return { changes, position };
  // A full batch means a flood: late writes within it are not waited for, or the reader would never catch up.
  if (entries.length === BATCH) return { changes, position: { from: last.id, seen: new Set() } };
  const overlapFrom = firstId("audit", new Date(last.at.getTime() - OVERLAP_MS));
  const from = overlapFrom > position.from ? overlapFrom : position.from;
  return { changes, position: { from, seen: new Set(entries.filter(({ id }) => id > from).map(({ id }) => id)) } };
}

import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import type { By } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";

export type RecordExport = {
  by: By;
  /** The exported object, as in the audit log's action: `settlements` for `settlements.exported`. */
  what: "settlements" | "batches" | "callbacks" | "topups" | "withdrawals" | "audit";
  /** Left out: named as what was taken. */
  objectId?: string;
  /** Whose it was; left out: the asker's own partner's. */
  partnerId?: string | null;
  /** The filter, in wire names. */
  change: Record<string, unknown>;
};

/** Records that somebody takes a list with them as a file, before the first row of it is read. */
export async function recordExport(ctx: Uses<"db">, { by, what, objectId = what, change, ...of }: RecordExport): Promise<void> {
  const own = by.actor.type === "user" ? by.actor.partnerId : null;
  const partnerId = of.partnerId === undefined ? own : of.partnerId;
  await ctx.db.transaction(async (tx) => {
    await insertAuditEntry(tx, { by, partnerId, action: `${what}.exported`, objectId, change });
  });
}

import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { type CallbackRow, restartCallback } from "#db/queries/callbacks/callbacks.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";

/** Starts a locked callback's six attempts anew, due now, and records who wished so. */
export async function restartWithAudit(
  tx: Database,
  { callback, subjectId, by }: { callback: CallbackRow; subjectId: string; by: By },
): Promise<void> {
  const now = await readBusinessNow(tx);
  await restartCallback(tx, callback.id, now);
  const subject = isId("settlement", subjectId) ? { tx_id: subjectId } : { order_id: subjectId };
  await insertAuditEntry(tx, {
    by,
    partnerId: callback.partnerId,
    action: "callback.resent",
    objectId: callback.id,
    change: { ...subject, from: callback.state, series: callback.series + 1 },
    now,
  });
}

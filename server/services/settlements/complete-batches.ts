import { renderBatchCallback } from "#contract/settlement/v1/callback-body.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { findBatch, listEnded, lockUnderWay, saveBatch } from "#db/queries/settlements/batches.ts";
import { SYSTEM } from "#domain/access.ts";
import type { SettlementBatch } from "#domain/settlement-batch.ts";
import { enqueueCallbacks } from "#server/services/callbacks/enqueue-callback.ts";
import { batchEvent } from "#server/services/events/event-of.ts";

/**
 * Completes those batches of which every item has ended, in the transaction that ended the last one, and enqueues the callback
 * `batch.completed`. Of two transactions that end the last two items, the second one finds that all have ended.
 */
export async function completeBatches(
  tx: Database,
  batches: readonly Pick<SettlementBatch, "id" | "partnerId">[],
  now: Date,
): Promise<void> {
  if (batches.length === 0) return;
  const underWay = await lockUnderWay(tx, [...new Map(batches.map((batch) => [batch.id, batch])).values()]);
  const ended = await listEnded(tx, underWay);
  for (const batch of underWay) if (ended.has(batch.id)) await complete(tx, { ...batch, status: "completed", completedAt: now }, now);
}

async function complete(tx: Database, batch: SettlementBatch, now: Date): Promise<void> {
  await saveBatch(tx, batch);
  const { id, partnerId, apiKeyId, callbackUrl: url, trace } = batch;
  const tallied = await findBatch(tx, id, partnerId);
  if (tallied === null) throw new Error(`the batch ${id} is gone`);
  const { executed, failed } = tallied.counts;
  const change = { status: "completed", executed, failed };
  await insertAuditEntries(tx, [{ by: SYSTEM, partnerId, action: "batch.completed", objectId: id, change, now }]);
  await recordEvents(tx, [batchEvent("batch.completed", tallied, now)]);
  if (url === null) return;
  const body = renderBatchCallback(tallied);
  await enqueueCallbacks(tx, [{ partnerId, subjectId: id, apiKeyId, event: "batch.completed", url, trace, body }], now);
}

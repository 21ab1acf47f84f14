import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { findBatch, saveBatch } from "#db/queries/settlements/batches.ts";
import { inTransaction } from "#db/transaction.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SettlementBatch, TalliedBatch } from "#domain/settlement-batch.ts";
import type { Uses } from "#server/context.ts";
import { batchEvent } from "#server/services/events/event-of.ts";
import { changeSettlements } from "#server/services/settlements/change-settlement.ts";
import { lockExistingBatch, lockItems, talliedWith, wrongState } from "./lock-items.ts";

/**
 * Cancels a quoted batch in any approval state with all its items. If it is cancelled or rejected already, it is returned as it is.
 *
 * @throws Refusal `batch_not_found`, `invalid_state` once it was confirmed.
 */
export async function cancelBatch(
  ctx: Uses<"db">,
  { id, partnerId, by }: { id: string; partnerId: string; by: By },
): Promise<TalliedBatch> {
  return await inTransaction(ctx.db, async (tx) => {
    const batch = await lockExistingBatch(tx, { id, partnerId });
    if (batch.status === "cancelled") {
      const found = await findBatch(tx, id, partnerId);
      if (found === null) throw new Refusal("batch_not_found");
      return found;
    }
    if (batch.status !== "quoted") throw wrongState(batch);
    const { items, now } = await lockItems(tx, batch);
    const cancelled = await changeSettlements(
      tx,
      items.map((settlement) => ({ settlement, action: { type: "cancel" }, by })),
      now,
    );
    const saved: SettlementBatch = { ...batch, status: "cancelled", cancelledAt: now };
    await saveBatch(tx, saved);
    const change = { from: batch.status, status: saved.status, items: items.length };
    await insertAuditEntry(tx, { by, partnerId, action: "batch.cancelled", objectId: id, change, now });
    const tallied = talliedWith(saved, cancelled);
    await recordEvents(tx, [batchEvent("batch.cancelled", tallied, now)]);
    return tallied;
  });
}

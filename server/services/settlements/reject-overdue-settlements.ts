import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listOverdueApprovals, listOverdueBatches } from "#db/queries/settlements/settlements.ts";
import { SYSTEM } from "#domain/access.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { rejectBatch } from "./batches/decide-batch.ts";
import { rejectSettlement } from "./reject-settlement.ts";

/** How long a settlement may await a decision (contract, part 2), in business time. */
export const APPROVAL_WINDOW_DAYS = 7;
export const APPROVAL_BATCH = 100;
const REASON = `Not decided within ${APPROVAL_WINDOW_DAYS} days.`;

/** Rejects, as the system, what has awaited a decision for seven days. Answers how many it rejected: at most a batch. */
export async function rejectOverdueSettlements(ctx: Uses<"db" | "clock">): Promise<number> {
  const now = await readBusinessNow(ctx.db);
  const before = new Date(now.getTime() - APPROVAL_WINDOW_DAYS * 86_400_000);
  const overdue = await listOverdueApprovals(ctx.db, before, APPROVAL_BATCH);
  let rejected = 0;
  for (const id of overdue) {
    try {
      await rejectSettlement(ctx, { by: SYSTEM, id, reason: REASON });
      rejected += 1;
    } catch (error) {
      // Somebody decided at the same moment, and that decision counts.
      if (!isRefusal(error)) throw error;
    }
  }
  for (const id of await listOverdueBatches(ctx.db, before, APPROVAL_BATCH)) {
    try {
      rejected += (await rejectBatch(ctx, { by: SYSTEM, id, reason: REASON })).itemCount;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return rejected;
}

import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listItems, listPendingBatches as listRows, type PendingBatch } from "#db/queries/settlements/batches.ts";
import { type BrowsedSettlement, listBrowsedByIds } from "#db/queries/settlements/browse-settlements.ts";
import { type GivenApproval, listApprovalsOf } from "#db/queries/settlements/settlement-approvals.ts";
import { countsFor } from "#domain/approval-policy.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { type BatchTotal, shareOf, tallyOf } from "#domain/settlement-batch.ts";
import type { Uses } from "#server/context.ts";
import { readAskedTogether } from "#server/services/settlements/give-approval.ts";
import { repriceAll } from "./decide-batch.ts";
import { readBatch } from "./read-batch.ts";

/** More are worked off from the beginning. */
const LONGEST = 25;

/** `proposed`: what the items of each pair come to at the present price. Null: `obstacle` says why there is none. */
export type WaitingBatch = PendingBatch & {
  proposed: BatchTotal[] | null;
  obstacle: Refusal | null;
  needed: number;
  /** Those that count. */
  approvals: GivenApproval[];
};

/** Batches that await a decision, the longest waiting first, each with the present result of an approval (contract, part 11). */
export async function listPendingBatches(ctx: Uses<"db" | "chains">): Promise<WaitingBatch[]> {
  const now = await readBusinessNow(ctx.db);
  const found = await listRows(ctx.db, LONGEST);
  const waiting: WaitingBatch[] = [];
  // One after another: many batches must not take every connection of the process.
  for (const one of found) waiting.push({ ...one, ...(await previewOf(ctx, await listItems(ctx.db, one.batch), now)) });
  return waiting;
}

async function previewOf(ctx: Uses<"db" | "chains">, items: readonly Settlement[], now: Date) {
  const { needed, whos } = await readAskedTogether(ctx.db, items);
  const given = await listApprovalsOf(
    ctx.db,
    items.slice(0, 1).map(({ id }) => id),
  );
  const approvals = given.filter(({ elector }) => whos.every((who) => countsFor(who, elector)));
  try {
    const proposed = tallyOf((await repriceAll(ctx, items, now)).map(shareOf)).totals;
    return { needed, approvals, proposed, obstacle: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { needed, approvals, proposed: null, obstacle: error };
  }
}

/** All items of a batch (of this partner, where given), in the order in which they were sent. @throws Refusal `batch_not_found` */
export async function listItemsOf(ctx: Uses<"db">, id: string, partnerId?: string): Promise<BrowsedSettlement[]> {
  const items = await listItems(ctx.db, await readBatch(ctx, { id, ...(partnerId !== undefined && { partnerId }) }));
  const found = await listBrowsedByIds(
    ctx.db,
    items.map((item) => item.id),
    partnerId,
  );
  const byId = new Map(found.map((one) => [one.settlement.id, one]));
  return items.flatMap((item) => byId.get(item.id) ?? []);
}

import { type BrowsedSettlement, listBrowsedByIds } from "#db/queries/browse-settlements.ts";
import { listAwaitingDecision } from "#db/queries/settlements.ts";
import type { Uses } from "#server/context.ts";
import { type ApprovalPreview, priceApproval } from "./preview-approval.ts";

export type AwaitingApproval = BrowsedSettlement & { preview: ApprovalPreview };

/** A queue longer than this is worked off from its beginning. */
const LONGEST = 100;

/** What awaits a decision, the longest waiting first, each with the price that approving would give it now; and whether there is more. */
export async function listApprovals(ctx: Uses<"db" | "chains">): Promise<{ items: AwaitingApproval[]; more: boolean }> {
  const ids = await listAwaitingDecision(ctx.db, LONGEST + 1);
  const found = await listBrowsedByIds(ctx.db, ids.slice(0, LONGEST));
  found.sort((left, right) => ids.indexOf(left.settlement.id) - ids.indexOf(right.settlement.id));
  const items: AwaitingApproval[] = [];
  for (const each of found) {
    // Decided between the two reads: it no longer waits.
    if (each.settlement.approvalState !== "pending" || each.settlement.status !== "quoted") continue;
    items.push({ ...each, preview: await priceApproval(ctx, each.settlement) });
  }
  return { items, more: ids.length > LONGEST };
}

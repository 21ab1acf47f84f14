import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { isId } from "#domain/ids.ts";
import { allows } from "#domain/lifecycle.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { type ApprovalPreview, priceApprovals } from "./price-approvals.ts";

/**
 * What approving a settlement would change now; it changes nothing itself.
 *
 * @throws Refusal `settlement_not_found`, `invalid_state` when it does not await a decision.
 */
export async function previewApproval(ctx: Uses<"db" | "chains">, id: string): Promise<ApprovalPreview> {
  const settlement = isId("settlement", id) ? await findSettlement(ctx.db, id) : null;
  if (settlement === null) throw new Refusal("settlement_not_found");
  if (!allows(settlement, "approve")) {
    throw new Refusal("invalid_state", {
      detail: "The settlement does not await a decision.",
      members: { settlement_status: settlement.status, approval_state: settlement.approvalState },
    });
  }
  const [preview] = await priceApprovals(ctx, [settlement]);
  if (preview === undefined) throw new Error("one settlement has one preview");
  return preview;
}

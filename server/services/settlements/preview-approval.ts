import { findSettlement } from "#db/queries/settlements.ts";
import type { Uses } from "#server/context.ts";
import { isId } from "#server/domain/ids.ts";
import { allows } from "#server/domain/lifecycle.ts";
import { isRefusal, Refusal, type RefusalCode } from "#server/domain/refusal.ts";
import type { Quote, Settlement } from "#server/domain/settlement.ts";
import { readPricing } from "#server/services/rates/read-pricing.ts";
import { priceSettlement } from "./price-settlement.ts";

/** What approving would do at this instant: the price, or why there is none. */
export type ApprovalPreview = {
  settlement: Settlement;
  /** In source minor units; null when the pair is no longer traded. */
  maximumSourceMinor: bigint | null;
  proposed: Quote | null;
  obstacle: { code: RefusalCode; detail: string } | null;
};

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
      detail: "The settlement awaits no decision.",
      members: { settlement_status: settlement.status, approval_state: settlement.approvalState },
    });
  }
  return await priceApproval(ctx, settlement);
}

/** As {@link previewApproval}, of a settlement that is known to await a decision. */
export async function priceApproval(ctx: Uses<"db" | "chains">, settlement: Settlement): Promise<ApprovalPreview> {
  let maximumSourceMinor: bigint | null = null;
  try {
    const pricing = await readPricing(ctx, settlement);
    maximumSourceMinor = pricing.terms.maximumSourceMinor;
    const validity = { version: settlement.quote.version + 1, lifetimeSeconds: pricing.terms.approvedLifetimeSeconds };
    return { settlement, maximumSourceMinor, proposed: priceSettlement(pricing, settlement.sourceAmountMinor, validity), obstacle: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { settlement, maximumSourceMinor, proposed: null, obstacle: { code: error.code, detail: error.message } };
  }
}

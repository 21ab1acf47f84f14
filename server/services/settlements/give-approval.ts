import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { countApprovals, insertApproval, listApprovalRules, listApprovalsOf } from "#db/queries/settlements/settlement-approvals.ts";
import type { LockedSettlement } from "#db/queries/settlements/settlements.ts";
import type { By } from "#domain/access.ts";
import { type ApprovalRule, approvalsNeeded, deciderOf } from "#domain/approval.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { refuseUnlessYesCounts } from "#server/services/proposals/refuse-unless-counts.ts";

export type Standing = { given: number; needed: 1 | 2 };

/**
 * Writes down a decider's yes to a settlement that is held, and says how many there are now. Where more are needed the audit log tells
 * of it; nothing else changes by it.
 *
 * @throws Refusal `forbidden` for who decides nothing; above the second threshold `step_up_required`, and `same_approver` for a second yes of
 *   the same principal, of a key, or of who does not count yet.
 */
export async function giveApproval(
  ctx: Uses<"db" | "clock" | "mode">,
  { settlement, now }: LockedSettlement,
  { by, note }: { by: By; note: string | null },
): Promise<Standing> {
  const decider = deciderOf(by.actor);
  if (decider === null) throw new Refusal("forbidden", { detail: "Your role does not include this." });
  const needed = approvalsNeeded(settlement.sourceAmountMinor, await readApprovalRule(ctx.db, settlement));
  if (needed === 2) {
    const before = (await listApprovalsOf(ctx.db, [settlement.id])).map((approval) => approval.decider);
    await refuseUnlessYesCounts(ctx, { before, by, now });
  }
  // Its key keeps anybody from counting twice, whatever else may fail.
  const added = await insertApproval(ctx.db, { settlementId: settlement.id, decider, approvedAt: now, note });
  if (!added) throw new Refusal("same_approver");
  const given = await countApprovals(ctx.db, settlement.id);
  if (given < needed) {
    await insertAuditEntry(ctx.db, {
      by,
      // How many of its people the operator asks is not the partner's business.
      partnerId: null,
      action: "settlement.approval_recorded",
      objectId: settlement.id,
      reason: note,
      change: { approvals_given: given, approvals_needed: needed },
      now,
    });
  }
  return { given, needed };
}

/** The rule of the terms that a settlement which awaits a decision was quoted under. */
export async function readApprovalRule(db: Database, settlement: Pick<Settlement, "quote">): Promise<ApprovalRule> {
  const { pairTermsId } = settlement.quote;
  const rule = (await listApprovalRules(db, [pairTermsId])).get(pairTermsId);
  if (rule === undefined) throw new Error(`the terms ${pairTermsId} of a quote are not kept`);
  return rule;
}

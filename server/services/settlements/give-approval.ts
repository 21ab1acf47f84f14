import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { countApprovals, insertApproval, listApprovalRules } from "#db/queries/settlement-approvals.ts";
import type { By } from "#server/domain/access.ts";
import { type ApprovalRule, approvalsNeeded, deciderOf } from "#server/domain/approval.ts";
import { Refusal } from "#server/domain/refusal.ts";
import type { Settlement } from "#server/domain/settlement.ts";
import type { LockedSettlement } from "./change-settlement.ts";

export type Standing = { given: number; needed: 1 | 2 };

/**
 * Writes down a decider's yes to a settlement that is held, and says how many there are now. Where more are needed the audit log tells
 * of it; nothing else changes by it.
 *
 * @throws Refusal `forbidden` for who decides nothing, `same_approver` for a second yes of the same person or key.
 */
export async function giveApproval(
  tx: Database,
  { settlement, now }: LockedSettlement,
  { by, note }: { by: By; note: string | null },
): Promise<Standing> {
  const decider = deciderOf(by.actor);
  if (decider === null) throw new Refusal("forbidden", { detail: "Your role does not include this." });
  const added = await insertApproval(tx, { settlementId: settlement.id, decider, approvedAt: now, note });
  if (!added)
    throw new Refusal("same_approver", {
      detail: "You have approved this settlement already; another person must give the second approval.",
    });
  const needed = approvalsNeeded(settlement.sourceAmountMinor, await readApprovalRule(tx, settlement));
  const given = await countApprovals(tx, settlement.id);
  if (given < needed) {
    await insertAuditEntry(tx, {
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

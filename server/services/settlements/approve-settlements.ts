import { type Decision, findDecision } from "#db/queries/settlements/approval-queue.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import type { Decimal } from "#domain/decimal.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { HintCounts } from "#domain/risk-hint.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Settlement } from "#domain/settlement.ts";
import { approvalOfMany } from "#domain/signed-approval.ts";
import type { Decision as SignedDecision } from "#domain/signed-decision.ts";
import type { Uses } from "#server/context.ts";
import { approveSettlement, reprice } from "./approve-settlement.ts";
import { readAsked } from "./give-approval.ts";
import { approvalOf, mustBeSigned } from "./sign-approval.ts";

/** The outcome of one of many. `needs_two`: it must be decided individually. */
export type BulkOutcome = { id: string } & (
  | { outcome: "approved"; settlement: Settlement }
  | { outcome: "decided"; decision: Decision | null; refusal: Refusal }
  | { outcome: "needs_two" | "price_moved" | "refused"; refusal: Refusal | null }
);

type Powers = Uses<"db" | "clock" | "chains" | "policy" | "mode">;

export type ApproveSettlements = { by: By; items: readonly BulkItem[] };
export type BulkItem = { id: string; expectedExchangeRate: Decimal; acknowledgedHints?: HintCounts };

/**
 * Approves many, each in its own transaction and at the price that was shown: a refusal of one does not affect the others. Settlements that
 * need more than one approval are left out, no matter who asks: they are reviewed individually. Where one of them, or their sum, is above
 * the threshold of `SIGNED_APPROVALS`, one signature covers all: it names each with its price, and one that differs by then is refused.
 *
 * @throws Refusal `forbidden` unless the role may decide, `step_up_required`, `passkey_required` (with the decision) without a signature.
 */
export async function approveSettlements(ctx: Powers, command: ApproveSettlements): Promise<BulkOutcome[]> {
  refuseUnlessOperator(command.by.actor, "decide_settlement");
  refuseUnlessProven(command.by, ctx.clock.now());
  if (!command.by.signature) await refuseUnsigned(ctx, command.items);
  const outcomes: BulkOutcome[] = [];
  for (const item of command.items) outcomes.push(await approveOne(ctx, command.by, item));
  return outcomes;
}

/** @throws Refusal `passkey_required` with one decision over all that can be approved now, where it must be signed. */
async function refuseUnsigned(ctx: Powers, items: ApproveSettlements["items"]): Promise<void> {
  if (ctx.policy.signedApprovals === null) return;
  const [waiting, approvals] = [[] as Settlement[], [] as SignedDecision[]];
  for (const { id, expectedExchangeRate: expected } of items) {
    const settlement = await findSettlement(ctx.db, id);
    if (settlement?.approvalState !== "pending" || (await readAsked(ctx.db, settlement)).needed > 1) continue;
    const quote = await reprice(ctx, settlement).catch(refusedAsNull);
    // Without a price it is refused when its turn comes.
    if (quote === null) continue;
    waiting.push(settlement);
    approvals.push(approvalOf(ctx, settlement, { quote, expected, note: null }));
  }
  if (!mustBeSigned(ctx, waiting)) return;
  const detail = "These decisions must be signed with a passkey, in the console.";
  throw new Refusal("passkey_required", { detail, decision: approvalOfMany(approvals) });
}

function refusedAsNull(error: unknown): null {
  if (isRefusal(error)) return null;
  throw error;
}

async function approveOne(ctx: Powers, by: By, item: BulkItem): Promise<BulkOutcome> {
  const { id } = item;
  try {
    const settlement = await findSettlement(ctx.db, id);
    if (settlement !== null && settlement.approvalState === "pending" && (await readAsked(ctx.db, settlement)).needed > 1) {
      return { id, outcome: "needs_two", refusal: null };
    }
    const approved = await approveSettlement(ctx, { by, note: null, ...item });
    return { id, outcome: "approved", settlement: approved };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === "invalid_state") return { id, outcome: "decided", decision: await findDecision(ctx.db, id), refusal: error };
    return { id, outcome: error.code === "rate_moved" ? "price_moved" : "refused", refusal: error };
  }
}

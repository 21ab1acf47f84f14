import { type Decision, findDecision } from "#db/queries/settlements/approval-queue.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import type { Decimal } from "#domain/decimal.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { approveSettlement } from "./approve-settlement.ts";
import { readAsked } from "./give-approval.ts";

/** The outcome of one of many. `needs_two`: it must be decided individually. */
export type BulkOutcome = { id: string } & (
  | { outcome: "approved"; settlement: Settlement }
  | { outcome: "decided"; decision: Decision | null; refusal: Refusal }
  | { outcome: "needs_two" | "price_moved" | "refused"; refusal: Refusal | null }
);

type Powers = Uses<"db" | "clock" | "chains" | "policy" | "mode">;

export type ApproveSettlements = { by: By; items: readonly { id: string; expectedExchangeRate: Decimal }[] };

/**
 * Approves many, each in its own transaction and at the price that was shown: a refusal of one does not affect the others. Settlements that
 * need more than one approval are left out, no matter who asks: they are reviewed individually.
 *
 * @throws Refusal `forbidden` unless the role may decide, `step_up_required`.
 */
export async function approveSettlements(ctx: Powers, command: ApproveSettlements): Promise<BulkOutcome[]> {
  refuseUnlessOperator(command.by.actor, "decide_settlement");
  refuseUnlessProven(command.by, ctx.clock.now());
  const outcomes: BulkOutcome[] = [];
  for (const item of command.items) outcomes.push(await approveOne(ctx, command.by, item));
  return outcomes;
}

async function approveOne(ctx: Powers, by: By, { id, expectedExchangeRate }: ApproveSettlements["items"][number]): Promise<BulkOutcome> {
  try {
    const settlement = await findSettlement(ctx.db, id);
    if (settlement !== null && settlement.approvalState === "pending" && (await readAsked(ctx.db, settlement)).needed > 1) {
      return { id, outcome: "needs_two", refusal: null };
    }
    const approved = await approveSettlement(ctx, { by, id, note: null, expectedExchangeRate });
    return { id, outcome: "approved", settlement: approved };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === "invalid_state") return { id, outcome: "decided", decision: await findDecision(ctx.db, id), refusal: error };
    return { id, outcome: error.code === "rate_moved" ? "price_moved" : "refused", refusal: error };
  }
}

import {
  countQueue,
  listAwaitingDecision,
  listDecisionsOf,
  listLapsedAfterApproval,
  type OwnDecision,
  type QueueCounts,
} from "#db/queries/settlements/approval-queue.ts";
import { type BrowsedSettlement, listBrowsedByIds } from "#db/queries/settlements/browse-settlements.ts";
import { allows } from "#domain/lifecycle.ts";
import type { Uses } from "#server/context.ts";
import { type ApprovalPreview, priceApprovals } from "./price-approvals.ts";

export type AwaitingApproval = BrowsedSettlement & { preview: ApprovalPreview };
export type DecidedSettlement = BrowsedSettlement & { decision: OwnDecision };

/** A queue longer than this is worked off from its beginning. */
const LONGEST = 100;
/** Only the latest decided ones are shown. */
const LATEST = 50;
const MOST_COUNTED = 999;

/**
 * Settlements that wait for a decision, the longest waiting first, each with its present approval price, and whether there are more. New
 * ones never crowd out those that have a first approval.
 */
export async function listApprovals(ctx: Uses<"db" | "chains">): Promise<{ items: AwaitingApproval[]; more: boolean }> {
  const limit = LONGEST + 1;
  const [first, second] = await Promise.all([
    listAwaitingDecision(ctx.db, { approvedOnce: false, limit }),
    listAwaitingDecision(ctx.db, { approvedOnce: true, limit }),
  ]);
  const found = await listBrowsedByIds(ctx.db, [...first.slice(0, LONGEST), ...second.slice(0, LONGEST)]);
  // Decided between the reads: it no longer waits.
  const waiting = found.filter(({ settlement }) => allows(settlement, "approve"));
  waiting.sort((left, right) => left.settlement.createdAt.getTime() - right.settlement.createdAt.getTime());
  const previews = await priceApprovals(
    ctx,
    waiting.map(({ settlement }) => settlement),
  );
  const items = waiting.flatMap((each, index) => {
    const preview = previews[index];
    return preview === undefined ? [] : [{ ...each, preview }];
  });
  return { items, more: first.length > LONGEST || second.length > LONGEST };
}

/** A person's decisions, latest first, with the present state of each settlement. */
export async function listOwnDecisions(ctx: Uses<"db">, userId: string): Promise<DecidedSettlement[]> {
  const decisions = await listDecisionsOf(ctx.db, userId, LATEST);
  const found = await listBrowsedByIds(
    ctx.db,
    decisions.map(({ settlementId }) => settlementId),
  );
  return decisions.flatMap((decision) => {
    const each = found.find(({ settlement }) => settlement.id === decision.settlementId);
    return each === undefined ? [] : [{ ...each, decision }];
  });
}

/** Approved settlements whose partner let the new price run out, the latest first. */
export async function listLapsedApprovals(ctx: Uses<"db">): Promise<BrowsedSettlement[]> {
  const ids = await listLapsedAfterApproval(ctx.db, LATEST);
  const found = await listBrowsedByIds(ctx.db, ids);
  return found.sort((left, right) => ids.indexOf(left.settlement.id) - ids.indexOf(right.settlement.id));
}

/** The number of each kind; beyond 999 only that there are more. */
export async function countApprovalQueue(ctx: Uses<"db">, userId: string): Promise<QueueCounts> {
  return await countQueue(ctx.db, userId, MOST_COUNTED);
}

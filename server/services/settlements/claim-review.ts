import { dropClaims, listClaims, type ReviewClaim, saveReviewClaim } from "#db/queries/settlements/review-claims.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { isId } from "#domain/ids.ts";
import { allows } from "#domain/lifecycle.ts";
import type { Uses } from "#server/context.ts";

/** How long a review claim lasts without renewal, in real time. */
const CLAIM_SECONDS = 120;

/**
 * Shows others that somebody is reviewing a settlement: a courtesy, not a lock, and not in the audit log. The first person keeps the claim
 * until they leave or two minutes pass. Only settlements that wait for a decision can be claimed, one per person at a time.
 */
export async function claimReview(ctx: Uses<"db">, claim: { settlementId: string; userId: string }): Promise<void> {
  const settlement = isId("settlement", claim.settlementId) ? await findSettlement(ctx.db, claim.settlementId) : null;
  if (settlement === null || !allows(settlement, "approve")) return;
  await ctx.db.transaction(async (tx) => await saveReviewClaim(tx, { ...claim, seconds: CLAIM_SECONDS }));
}

/** The person has turned to something else. */
export async function leaveReview(ctx: Uses<"db">, userId: string): Promise<void> {
  await dropClaims(ctx.db, userId);
}

/** Who is reviewing which settlement now. */
export async function listReviews(ctx: Uses<"db">): Promise<ReviewClaim[]> {
  return await listClaims(ctx.db);
}

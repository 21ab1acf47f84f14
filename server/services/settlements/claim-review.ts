import { dropClaims, listClaims, type ReviewClaim, saveReviewClaim } from "#db/queries/settlements/review-claims.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { isId } from "#domain/ids.ts";
import { allows } from "#domain/lifecycle.ts";
import type { Uses } from "#server/context.ts";

/** How long a look at a settlement counts without being renewed, in real time. */
const CLAIM_SECONDS = 120;

/**
 * Tells the others that somebody looks at a settlement: a courtesy, never a lock, and no entry in the audit log. Who came first keeps it
 * until they leave or two minutes pass; what awaits no decision is not claimed. A person looks at one settlement at a time.
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

/** Who looks at what just now. */
export async function listReviews(ctx: Uses<"db">): Promise<ReviewClaim[]> {
  return await listClaims(ctx.db);
}

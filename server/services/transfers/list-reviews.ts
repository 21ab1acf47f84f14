import { listUnderReview } from "#db/queries/treasury-lanes.ts";
import type { Uses } from "#server/context.ts";
import type { Transfer } from "#server/domain/transfer.ts";

const AT_ONCE = 100;

/** Transfers that only an operator's word moves on, oldest first, at most a hundred. */
export async function listReviews(ctx: Uses<"db">): Promise<Transfer[]> {
  return await listUnderReview(ctx.db, AT_ONCE);
}

import { listUnderReview } from "#db/queries/transfers/treasury-lanes.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";

const AT_ONCE = 100;

/** Transfers that only an operator's word moves on, oldest first, at most a hundred. */
export async function listReviews(ctx: Uses<"db">): Promise<Transfer[]> {
  return await listUnderReview(ctx.db, AT_ONCE);
}

import {
  countResendItems,
  findResendJob,
  listResendItems,
  type ResendItem,
  type ResendItemState,
  type ResendJob,
} from "#db/queries/resend-jobs.ts";
import type { Uses } from "#server/context.ts";
import { isId } from "#server/domain/ids.ts";
import { Refusal } from "#server/domain/refusal.ts";

/** `partnerId` null: an operator, who may read every job. */
export type ReadResendJob = { partnerId: string | null; id: string; limit?: number; after?: string | null };
export type ResendJobProgress = {
  job: ResendJob;
  total: number;
  counts: Record<ResendItemState, number>;
  /** Whether every callback is delivered, given up again, or in another job's hands. */
  isOver: boolean;
  items: ResendItem[];
  next: string | null;
};

/**
 * How far a job got, as its callbacks tell, with a page of them.
 *
 * @throws Refusal `not_found`, also for another partner's job.
 */
export async function readResendJob(
  ctx: Uses<"db">,
  { partnerId, id, limit = 50, after = null }: ReadResendJob,
): Promise<ResendJobProgress> {
  const job = isId("resendJob", id) ? await findResendJob(ctx.db, id, partnerId) : null;
  if (job === null) throw new Refusal("not_found");
  const counts = { queued: 0, retrying: 0, delivered: 0, undelivered: 0, resent_again: 0, skipped: 0 };
  for (const { state, count } of await countResendItems(ctx.db, id)) counts[state] = count;
  const rows = await listResendItems(ctx.db, id, limit + 1, after);
  const items = rows.slice(0, limit);
  return {
    job,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    isOver: counts.queued === 0 && counts.retrying === 0,
    items,
    next: rows.length > limit ? (items.at(-1)?.callbackId ?? null) : null,
  };
}

import {
  countResendItems,
  findResendJob,
  listResendJobs as listJobs,
  listResendItems,
  type ResendItem,
  type ResendItemState,
  type ResendJob,
} from "#db/queries/callbacks/resend-jobs.ts";
import { findUser } from "#db/queries/people/users.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** `partnerId` null: an operator, who may read every job. */
export type ReadResendJob = { partnerId: string | null; id: string; limit?: number; after?: string | null };
export type ResendJobSummary = {
  job: ResendJob;
  /** Who started it. A partner does not see which operator's user it was. */
  by: { name: string | null };
  total: number;
  counts: Record<ResendItemState, number>;
  /** Whether every callback is delivered, given up again, or part of another job. */
  isOver: boolean;
};
export type ResendJobProgress = ResendJobSummary & { items: ResendItem[]; next: string | null };

const RECENT = 5;

/**
 * The progress of a job, from its callbacks, with a page of them. The page is never older than `isOver`.
 *
 * @throws Refusal `not_found`, also for another partner's job.
 */
export async function readResendJob(
  ctx: Uses<"db">,
  { partnerId, id, limit = 50, after = null }: ReadResendJob,
): Promise<ResendJobProgress> {
  const job = isId("resendJob", id) ? await findResendJob(ctx.db, id, partnerId) : null;
  if (job === null) throw new Refusal("not_found");
  // In this order: a client that sees the end stops polling, so it must have seen each item's end before.
  const summary = await summarize(ctx, job, partnerId);
  const rows = await listResendItems(ctx.db, id, limit + 1, after);
  const items = rows.slice(0, limit);
  return { ...summary, items, next: rows.length > limit ? (items.at(-1)?.callbackId ?? null) : null };
}

/** The newest few jobs: a partner's, or (null) everybody's. */
export async function listResendJobs(ctx: Uses<"db">, partnerId: string | null): Promise<ResendJobSummary[]> {
  const jobs = await listJobs(ctx.db, partnerId, RECENT);
  return await Promise.all(jobs.map((job) => summarize(ctx, job, partnerId)));
}

async function summarize(ctx: Uses<"db">, job: ResendJob, partnerId: string | null): Promise<ResendJobSummary> {
  const counts = { queued: 0, retrying: 0, delivered: 0, undelivered: 0, resent_again: 0, skipped: 0 };
  for (const { state, count } of await countResendItems(ctx.db, job.id)) counts[state] = count;
  const user = job.actorType === "user" && job.actorId !== null ? await findUser(ctx.db, job.actorId) : null;
  const isHidden = partnerId !== null && user?.partnerId !== partnerId;
  return {
    job,
    by: { name: isHidden ? null : (user?.name ?? null) },
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    isOver: counts.queued === 0 && counts.retrying === 0,
  };
}

import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findResendJob, markResendJobAborted, skipUntried } from "#db/queries/callbacks/resend-jobs.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { actorId, type By, refuseUnlessMayResend } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** `partnerId` null: an operator's, of anybody's job. */
export type AbortResendJob = { partnerId: string | null; by: By; id: string };

/**
 * Calls off what a job has not tried yet: those callbacks are undelivered again, as they were before. What was tried keeps its
 * schedule, and an attempt under way ends as it will. Answers how many were called off; aborting again does nothing.
 *
 * @throws Refusal `forbidden` without the right to resend, `not_found`, also for another partner's job.
 */
export async function abortResendJob(ctx: Uses<"db">, { partnerId, by, id }: AbortResendJob): Promise<{ skipped: number }> {
  refuseUnlessMayResend(by.actor, partnerId);
  return await ctx.db.transaction(async (tx) => {
    const job = isId("resendJob", id) ? await findResendJob(tx, id, partnerId) : null;
    if (job === null) throw new Refusal("not_found");
    const now = await readBusinessNow(tx);
    if (!(await markResendJobAborted(tx, id, actorId(by.actor), now))) return { skipped: 0 };
    const skipped = await skipUntried(tx, id, now);
    await insertAuditEntry(tx, {
      by,
      partnerId: job.partnerId,
      action: "callbacks.resend_aborted",
      objectId: id,
      change: { skipped },
      now,
    });
    return { skipped };
  });
}

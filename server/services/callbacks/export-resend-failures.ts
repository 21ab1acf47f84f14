import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findResendJob, listResendFailures, type ResendFailure } from "#db/queries/callbacks/resend-jobs.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** `partnerId` null: an operator, who may read every job. */
export type ExportResendFailures = { partnerId: string | null; by: By; id: string };

const BATCH = 500;

/**
 * Every callback of a job whose last attempt of those that the job began has failed, by its id, read batch by batch as it is asked for.
 * The audit log tells who took them.
 *
 * @throws Refusal `not_found`, also for another partner's job.
 */
export async function exportResendFailures(
  ctx: Uses<"db">,
  { partnerId, by, id }: ExportResendFailures,
): Promise<AsyncGenerator<ResendFailure[]>> {
  const job = isId("resendJob", id) ? await findResendJob(ctx.db, id, partnerId) : null;
  if (job === null) throw new Refusal("not_found");
  await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, {
      by,
      partnerId: job.partnerId,
      action: "callbacks.exported",
      objectId: id,
      change: { of: "failures" },
      now,
    });
  });
  return readBatches(ctx, id);
}

async function* readBatches(ctx: Uses<"db">, id: string): AsyncGenerator<ResendFailure[]> {
  for (let after: string | null = null; ; ) {
    const batch: ResendFailure[] = await listResendFailures(ctx.db, id, BATCH, after);
    if (batch.length > 0) yield batch;
    after = batch.at(-1)?.callbackId ?? null;
    if (batch.length < BATCH) return;
  }
}

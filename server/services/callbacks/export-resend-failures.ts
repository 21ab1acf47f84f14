import { findResendJob, listResendFailures, type ResendFailure } from "#db/queries/callbacks/resend-jobs.ts";
import type { By } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { walkAll } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type { ResendFailure } from "#db/queries/callbacks/resend-jobs.ts";

import { recordExport } from "#server/services/audit/record-export.ts";

/** `partnerId` null: an operator, who may read every job. */
export type ExportResendFailures = { partnerId: string | null; by: By; id: string };

/**
 * Every callback of a job whose last attempt of those that the job began has failed, by its id, read batch by batch as it is asked for.
 * The audit log tells who took them.
 *
 * @throws Refusal `not_found`, also for another partner's job.
 */
export async function exportResendFailures(
  ctx: Uses<"db">,
  { partnerId, by, id }: ExportResendFailures,
): Promise<AsyncGenerator<readonly ResendFailure[]>> {
  const job = isId("resendJob", id) ? await findResendJob(ctx.db, id, partnerId) : null;
  if (job === null) throw new Refusal("not_found");
  await recordExport(ctx, { by, what: "callbacks", objectId: id, partnerId: job.partnerId, change: { of: "failures" } });
  return walkAll<ResendFailure, string>(
    ({ limit, position }) => listResendFailures(ctx.db, id, limit, position),
    ({ callbackId }) => callbackId,
  );
}

import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { countSelected, listSelectedUrls, restartCallbacks } from "#db/queries/callbacks/callback-groups.ts";
import {
  findResendJob,
  insertResendJob,
  listResendFailures,
  markResendJobAborted,
  type ResendFailure,
  skipUntried,
} from "#db/queries/callbacks/resend-jobs.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { actorId, type By, refuseUnlessMayResend } from "#domain/access.ts";
import type { ResendSelection } from "#domain/callback-group.ts";
import { isId, newId } from "#domain/ids.ts";
import { walkAll } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { recordExport } from "#server/services/audit/record-export.ts";

export type StartResendJob = {
  /** Whose callbacks; null: an operator's job, across partners. */
  partnerId: string | null;
  by: By;
  selection: ResendSelection;
};
/** `forbiddenOrigins`: receivers that now resolve to forbidden addresses; their callbacks were skipped. */
export type StartedResendJob = { id: string; count: number; forbiddenOrigins: string[] };

/** The most that one statement handles well within its timeout. Larger selections need several jobs. */
const MAX_CALLBACKS = 5_000;

/**
 * Starts the six attempts of the selected undelivered callbacks again, each with its id and body, due now. One transaction starts the whole
 * job or nothing. The delivery engine sets the pace, with its limit per receiver.
 *
 * @throws Refusal `forbidden` without the permission to resend; `callback_not_found` when nothing undelivered is selected;
 * `callback_url_not_allowed` when none of their receivers may be called any more.
 */
export async function startResendJob(ctx: Uses<"db" | "callbacks">, command: StartResendJob): Promise<StartedResendJob> {
  const { partnerId, by, selection } = command;
  refuseUnlessMayResend(by.actor, partnerId);
  const receivers = await listSelectedUrls(ctx.db, partnerId, selection);
  if (receivers.length === 0) throw new Refusal("callback_not_found", { detail: "None of these callbacks is undelivered now." });
  const judged = await Promise.all(receivers.map(async ({ origin, url }) => ({ origin, ...(await ctx.callbacks.judge(url)) })));
  const origins = judged.filter(({ verdict }) => verdict === "allowed").map(({ origin }) => origin);
  const forbiddenOrigins = judged.filter(({ verdict }) => verdict !== "allowed").map(({ origin }) => origin);
  if (origins.length === 0) throw new Refusal("callback_url_not_allowed");
  return await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    const id = newId("resendJob", now);
    await insertResendJob(tx, { id, partnerId, actorType: by.actor.type, actorId: actorId(by.actor), selection, createdAt: now });
    const count = await restartCallbacks(tx, { jobId: id, partnerId, selection, origins, now, limit: MAX_CALLBACKS });
    if (count === 0) throw new Refusal("callback_not_found", { detail: "Someone else has just resent these callbacks." });
    await insertAuditEntry(tx, { by, partnerId, action: "callbacks.resent", objectId: id, change: { count, ...selection }, now });
    return { id, count, forbiddenOrigins };
  });
}

const SHOWN_RECEIVERS = 200;

/** How many callbacks a job of that selection would begin again, and to which receivers. */
export async function previewResend(
  ctx: Uses<"db">,
  { partnerId, selection }: Omit<StartResendJob, "by">,
): Promise<{ count: number; receivers: { origin: string; count: number }[] }> {
  const receivers = await countSelected(ctx.db, partnerId, selection, SHOWN_RECEIVERS);
  const count = receivers.reduce((sum, receiver) => sum + receiver.count, 0);
  return { count: Math.min(count, MAX_CALLBACKS), receivers };
}

/** `partnerId` null: an operator, for any partner's job. */
export type AbortResendJob = { partnerId: string | null; by: By; id: string };

/**
 * Cancels the untried part of a job: those callbacks become undelivered again. Tried ones keep their schedule, and an attempt in progress
 * ends normally. Returns how many were cancelled; aborting again changes nothing.
 *
 * @throws Refusal `forbidden` without the permission to resend, `not_found`, also for another partner's job.
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

export type { ResendFailure } from "#db/queries/callbacks/resend-jobs.ts";

/** `partnerId` null: an operator, who may read every job. */
export type ExportResendFailures = { partnerId: string | null; by: By; id: string };

/**
 * The callbacks of a job whose last attempt within the job failed, by id, read batch by batch on demand. The audit log records who exported
 * them.
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

import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { countSelected, listSelectedUrls, restartCallbacks } from "#db/queries/callbacks/callback-groups.ts";
import { insertResendJob } from "#db/queries/callbacks/resend-jobs.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { actorId, type By, refuseUnlessMayResend } from "#domain/access.ts";
import type { ResendSelection } from "#domain/callback-group.ts";
import { newId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type StartResendJob = {
  /** Whose callbacks; null: an operator's job, across partners. */
  partnerId: string | null;
  by: By;
  selection: ResendSelection;
};
/** `forbiddenOrigins`: receivers that have come to lead where callbacks must not go; theirs were left alone. */
export type StartedResendJob = { id: string; count: number; forbiddenOrigins: string[] };

/** What one statement does well within its timeout. Whoever has more starts another job. */
const MAX_CALLBACKS = 5_000;

/**
 * Starts the six attempts of the selected undelivered callbacks anew, each with its id and body, due now, all in one transaction: a
 * job is begun whole or not at all. How fast they go out is up to the delivery, which gives each receiver only so much at a time.
 *
 * @throws Refusal `forbidden` without the right to resend; `callback_not_found` when nothing undelivered is selected;
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
    if (count === 0) throw new Refusal("callback_not_found", { detail: "Somebody else has just resent these callbacks." });
    await insertAuditEntry(tx, { by, partnerId, action: "callbacks.resent", objectId: id, change: { count, ...selection }, now });
    return { id, count, forbiddenOrigins };
  });
}

const SHOWN_RECEIVERS = 200;

/** How many callbacks a job of that selection would begin anew, and to which receivers. */
export async function previewResend(
  ctx: Uses<"db">,
  { partnerId, selection }: Omit<StartResendJob, "by">,
): Promise<{ count: number; receivers: { origin: string; count: number }[] }> {
  const receivers = await countSelected(ctx.db, partnerId, selection, SHOWN_RECEIVERS);
  const count = receivers.reduce((sum, receiver) => sum + receiver.count, 0);
  return { count: Math.min(count, MAX_CALLBACKS), receivers };
}

import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { listGroupMembers } from "#db/queries/callbacks/callback-groups.ts";
import { askExtraAttempts, listCallbacksOf, lockCallback } from "#db/queries/callbacks/callbacks.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type By, refuseUnlessMayResend } from "#domain/access.ts";
import type { Callback } from "#domain/callback.ts";
import { isId, newId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** `partnerId` null: an operator, for any callback. `subjectId`: what the callback must be about, where that is known. */
export type AskAttempt = { partnerId: string | null; by: By; subjectId?: string; callbackId: string };

/**
 * Requests one attempt now, besides the six (contract, part 10 "Callbacks"), in any state of the callback. A success delivers it; a failure
 * does not affect its schedule. While one is requested, asking again changes nothing. Returns the callback.
 *
 * @throws Refusal `forbidden` without the permission to resend, `callback_not_found`, also for another partner's.
 */
export async function askAttempt(ctx: Uses<"db">, { partnerId, by, callbackId, ...named }: AskAttempt): Promise<Callback> {
  refuseUnlessMayResend(by.actor, partnerId);
  return await ctx.db.transaction(async (tx) => {
    const callback = isId("callback", callbackId) ? await lockCallback(tx, { id: callbackId, ...named }) : null;
    if (callback === null || (partnerId !== null && callback.partnerId !== partnerId)) throw new Refusal("callback_not_found");
    const { subjectId } = callback;
    const now = await readBusinessNow(tx);
    const asked = await askExtraAttempts(tx, [{ id: callbackId, partnerId: callback.partnerId, attemptId: newId("attempt", now) }], now);
    const subject = isId("settlement", subjectId) ? { tx_id: subjectId } : { order_id: subjectId };
    if (asked.length > 0)
      await insertAuditEntry(tx, {
        by,
        partnerId: callback.partnerId,
        action: "callback.attempt_asked",
        objectId: callbackId,
        change: { ...subject, state: callback.state },
        now,
      });
    const found = (await listCallbacksOf(tx, [subjectId])).find(({ id }) => id === callbackId);
    if (!found) throw new Error("a locked callback is gone");
    return found;
  });
}

/** The retrying ones of a receiver, of one cause where one is named. `partnerId` null: an operator's, of everybody's. */
export type AskAttempts = { partnerId: string | null; by: By; origin: string; cause?: string };

/** The most that one action requests; a caller with more repeats it. */
const MAX_AT_ONCE = 1_000;

/**
 * Asks for one attempt now of every callback that a receiver has failed to take and that is still retried, the longest failing ones
 * first, at most a thousand. Answers how many it is.
 *
 * @throws Refusal `forbidden` without the right to resend.
 */
export async function askAttempts(ctx: Uses<"db">, { partnerId, by, origin, cause }: AskAttempts): Promise<{ count: number }> {
  refuseUnlessMayResend(by.actor, partnerId);
  return await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    const members = await listGroupMembers(tx, { partnerId, state: "retrying", origin, cause }, MAX_AT_ONCE);
    const asked = await askExtraAttempts(
      tx,
      members.map((member) => ({ ...member, attemptId: newId("attempt", now) })),
      now,
    );
    if (asked.length > 0)
      await insertAuditEntry(tx, {
        by,
        partnerId,
        action: "callbacks.attempts_asked",
        objectId: origin,
        change: { count: asked.length, ...(cause !== undefined && { cause }) },
        now,
      });
    return { count: asked.length };
  });
}

import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { deletePausedReceiver, insertPausedReceiver } from "#db/queries/callbacks/paused-receivers.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { actorId, type By, refuseUnlessMayResend } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";

/** `origin`: scheme, host and port. `partnerId`: whose callbacks; null: everybody's, an operator's action. */
export type PauseReceiver = { partnerId: string | null; by: By; origin: string; reason: string };

/**
 * Pauses a receiver: its callbacks wait and keep their due times (contract, part 10 "Callbacks"). An attempt in progress ends normally, and
 * manual attempts still go out. Pausing twice changes nothing.
 *
 * @throws Refusal `forbidden` without the permission to resend.
 */
export async function pauseReceiver(ctx: Uses<"db">, { partnerId, by, origin, reason }: PauseReceiver): Promise<void> {
  refuseUnlessMayResend(by.actor, partnerId);
  await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    const receiver = { partnerId, origin, reason, pausedAt: now, actorType: by.actor.type, actorId: actorId(by.actor) };
    if (!(await insertPausedReceiver(tx, receiver))) return;
    await insertAuditEntry(tx, { by, partnerId, action: "receiver.paused", objectId: origin, change: { reason }, now });
  });
}

/**
 * Lets what waits run on: whatever has come due meanwhile begins at once, in the order in which it was due. What the operator paused for
 * everybody only the operator resumes.
 *
 * @throws Refusal `forbidden` without the right to resend.
 */
export async function resumeReceiver(ctx: Uses<"db">, { partnerId, by, origin }: Omit<PauseReceiver, "reason">): Promise<void> {
  refuseUnlessMayResend(by.actor, partnerId);
  await ctx.db.transaction(async (tx) => {
    if (!(await deletePausedReceiver(tx, { partnerId, origin }))) return;
    await insertAuditEntry(tx, { by, partnerId, action: "receiver.resumed", objectId: origin, change: {} });
  });
}

import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { type CallbackRow, findCallback, listCallbacksOf, lockCallback, restartCallback } from "#db/queries/callbacks/callbacks.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { type By, refuseUnlessMayResend } from "#domain/access.ts";
import type { Callback } from "#domain/callback.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { checkCallbackUrl } from "./callback-target.ts";

/** Starts a locked callback's six attempts again, due now, and records who wished so. */
export async function restartWithAudit(
  tx: Database,
  { callback, subjectId, by }: { callback: CallbackRow; subjectId: string; by: By },
): Promise<void> {
  const now = await readBusinessNow(tx);
  await restartCallback(tx, callback, now);
  const subject = isId("settlement", subjectId) ? { tx_id: subjectId } : { order_id: subjectId };
  await insertAuditEntry(tx, {
    by,
    partnerId: callback.partnerId,
    action: "callback.resent",
    objectId: callback.id,
    change: { ...subject, from: callback.state, series: callback.series + 1 },
    now,
  });
}

export type ResendCallback = {
  /** The callback's partner; null: an operator resends any partner's. */
  partnerId: string | null;
  by: By;
  /** The settlement that it must be about; omitted: any subject. */
  settlementId?: string;
  callbackId: string;
};

/**
 * Checks that the callback may be resent and its URL may still be called. It uses DNS: call it before {@link resendCallback}, outside of
 * transactions.
 *
 * @throws Refusal as {@link resendCallback}, and `callback_url_not_allowed` when the URL now resolves to a forbidden address.
 */
export async function checkResend(ctx: Uses<"db" | "callbacks">, command: ResendCallback): Promise<void> {
  const { url } = await readResendable(ctx.db, command, findCallback);
  await checkCallbackUrl(ctx, url, "/callback_url");
}

/**
 * Starts the six attempts of a delivered or undelivered callback again, with the same id and body, due now (contract, parts 2 and 9).
 * Returns the callback, pending, in its next series.
 *
 * @throws Refusal `forbidden` without the permission to resend (contract, part 7), `settlement_not_found`, `callback_not_found`,
 * `invalid_state` while it is pending.
 */
export async function resendCallback(ctx: Uses<"db">, command: ResendCallback): Promise<Callback> {
  return await ctx.db.transaction(async (tx) => {
    const callback = await readResendable(tx, command, lockCallback);
    const { id, subjectId } = callback;
    await restartWithAudit(tx, { callback, subjectId, by: command.by });
    const found = (await listCallbacksOf(tx, [subjectId])).find((each) => each.id === id);
    if (!found) throw new Error("a locked callback is gone");
    return found;
  });
}

async function readResendable(
  db: Database,
  { partnerId, by, settlementId, callbackId: id }: ResendCallback,
  read: typeof findCallback,
): Promise<CallbackRow> {
  refuseUnlessMayResend(by.actor, partnerId);
  if (settlementId !== undefined && !(await settlementIsThere(db, settlementId, partnerId))) throw new Refusal("settlement_not_found");
  const key = { id, ...(settlementId !== undefined && { subjectId: settlementId }) };
  const callback = isId("callback", id) ? await read(db, key) : null;
  if (callback === null || (partnerId !== null && callback.partnerId !== partnerId)) throw new Refusal("callback_not_found");
  if (callback.state !== "pending") return callback;
  const settlement = isId("settlement", callback.subjectId) ? await findSettlement(db, callback.subjectId) : null;
  throw new Refusal("invalid_state", {
    detail: "The callback is pending, and its attempts have not ended yet.",
    ...(settlement !== null && { members: { settlement_status: settlement.status } }),
  });
}

async function settlementIsThere(db: Database, id: string, partnerId: string | null): Promise<boolean> {
  return isId("settlement", id) && (await findSettlement(db, id, partnerId ?? undefined)) !== null;
}

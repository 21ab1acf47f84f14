import { lockCallback } from "#db/queries/callbacks/callbacks.ts";
import { type By, refuseUnlessMayResend } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { checkCallbackUrl } from "./check-callback-url.ts";
import { readCallback } from "./read-callback.ts";
import { restartWithAudit } from "./restart-with-audit.ts";

/** `partnerId` null: an operator's resend, of anybody's callback. */
export type ResendById = { partnerId: string | null; by: By; callbackId: string };

/**
 * As `resendCallback`, for a callback that tells about anything: a settlement, a withdrawal or a top-up. Asks DNS first, outside of
 * the transaction.
 *
 * @throws Refusal `forbidden` without the right to resend, `callback_not_found`, `invalid_state` while it is pending,
 * `callback_url_not_allowed` when its URL has come to lead where callbacks must not go.
 */
export async function resendById(ctx: Uses<"db" | "callbacks">, { partnerId, by, callbackId }: ResendById): Promise<{ series: number }> {
  refuseUnlessMayResend(by.actor, partnerId);
  const { subjectId, url, state } = await readCallback(ctx, { id: callbackId, partnerId });
  refuseWhilePending(state);
  await checkCallbackUrl(ctx, url, "/callback_url");
  return await ctx.db.transaction(async (tx) => {
    const callback = await lockCallback(tx, { id: callbackId, subjectId });
    if (callback === null) throw new Refusal("callback_not_found");
    refuseWhilePending(callback.state);
    await restartWithAudit(tx, { callback, subjectId, by });
    return { series: callback.series + 1 };
  });
}

function refuseWhilePending(state: string): void {
  if (state === "pending") throw new Refusal("invalid_state", { detail: "The callback is pending: its attempts are not over yet." });
}

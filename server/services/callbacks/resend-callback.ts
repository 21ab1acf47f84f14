import { type CallbackKey, type CallbackRow, findCallback, listCallbacksOf, lockCallback } from "#db/queries/callbacks/callbacks.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { type By, refuseUnlessMayResend } from "#domain/access.ts";
import type { Callback } from "#domain/callback.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { checkCallbackUrl } from "./check-callback-url.ts";
import { restartWithAudit } from "./restart-with-audit.ts";

export type ResendCallback = {
  /** Whose settlement it must be; null: an operator's resend, of anybody's. */
  partnerId: string | null;
  by: By;
  settlementId: string;
  callbackId: string;
};

/**
 * Whether the callback may be resent, and its URL still be called. It asks DNS: ask it before {@link resendCallback}, outside of
 * transactions.
 *
 * @throws Refusal as {@link resendCallback}, and `callback_url_not_allowed` when the URL has come to lead where callbacks must not go.
 */
export async function checkResend(ctx: Uses<"db" | "callbacks">, command: Omit<ResendCallback, "by">): Promise<void> {
  const settlement = await readSettlementOf(ctx, command);
  const callback = isId("callback", command.callbackId) ? await findCallback(ctx.db, keyOf(command)) : null;
  refuseUnlessOver(callback, settlement);
  await checkCallbackUrl(ctx, callback.url, "/callback_url");
}

/**
 * Starts the six attempts of a delivered or undelivered callback anew, with the same id and body, due now (contract, parts 2 and
 * 9), and answers it as it then stands: pending, in its next series.
 *
 * @throws Refusal `forbidden` without the right to resend (contract, part 7), `settlement_not_found`, `callback_not_found`,
 * `invalid_state` while it is pending.
 */
export async function resendCallback(ctx: Uses<"db">, command: ResendCallback): Promise<Callback> {
  refuseUnlessMayResend(command.by.actor, command.partnerId);
  const settlement = await readSettlementOf(ctx, command);
  return await ctx.db.transaction(async (tx) => {
    const callback = isId("callback", command.callbackId) ? await lockCallback(tx, keyOf(command)) : null;
    refuseUnlessOver(callback, settlement);
    await restartWithAudit(tx, { callback, subjectId: settlement.id, by: command.by });
    const found = (await listCallbacksOf(tx, [settlement.id])).find(({ id }) => id === callback.id);
    if (!found) throw new Error("a locked callback is gone");
    return found;
  });
}

function keyOf({ callbackId, settlementId }: Pick<ResendCallback, "callbackId" | "settlementId">): CallbackKey {
  return { id: callbackId, subjectId: settlementId };
}

async function readSettlementOf(ctx: Uses<"db">, { settlementId, partnerId }: Omit<ResendCallback, "by">): Promise<Settlement> {
  const settlement = isId("settlement", settlementId) ? await findSettlement(ctx.db, settlementId, partnerId ?? undefined) : null;
  if (settlement === null) throw new Refusal("settlement_not_found");
  return settlement;
}

function refuseUnlessOver(callback: CallbackRow | null, settlement: Settlement): asserts callback is CallbackRow {
  if (callback === null) throw new Refusal("callback_not_found");
  if (callback.state !== "pending") return;
  throw new Refusal("invalid_state", {
    detail: "The callback is pending: its attempts are not over yet.",
    members: { settlement_status: settlement.status },
  });
}

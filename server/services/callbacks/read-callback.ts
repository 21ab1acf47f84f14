import { type CallbackDetail, listCallbackDetails } from "#db/queries/callbacks/callback-details.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type { CallbackDetail } from "#db/queries/callbacks/callback-details.ts";

/**
 * A callback with all that is known of every attempt: what was sent, what came back, how long each step took, and who resent it.
 *
 * @throws Refusal `callback_not_found`, for another partner's just as for one that never was.
 */
export async function readCallback(ctx: Uses<"db">, { id, partnerId }: { id: string; partnerId: string | null }): Promise<CallbackDetail> {
  const [found] = isId("callback", id) ? await listCallbackDetails(ctx.db, { id }, partnerId) : [];
  if (found === undefined) throw new Refusal("callback_not_found");
  return found;
}

/** As {@link readCallback}, all those that tell about one thing, oldest first. Whose that is must have been asked before. */
export async function readCallbacksOf(ctx: Uses<"db">, subjectId: string): Promise<CallbackDetail[]> {
  return await listCallbackDetails(ctx.db, { subjectId }, null);
}

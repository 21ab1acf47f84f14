import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import type { Callback } from "#domain/callback.ts";
import type { Uses } from "#server/context.ts";
import { readSettlement } from "./read-settlement.ts";

/**
 * Every callback of the partner's settlement, oldest first, with every attempt that began.
 *
 * @throws Refusal `settlement_not_found`, for a foreign id just as for one that never existed.
 */
export async function listCallbacks(ctx: Uses<"db">, query: { partnerId: string; settlementId: string }): Promise<Callback[]> {
  const settlement = await readSettlement(ctx, { partnerId: query.partnerId, id: query.settlementId });
  return await listCallbacksOf(ctx.db, [settlement.id]);
}

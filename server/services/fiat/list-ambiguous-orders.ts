import { type AmbiguousOrder, listAmbiguous } from "#db/queries/fiat/fiat-work.ts";
import type { Uses } from "#server/context.ts";

export type { AmbiguousOrder } from "#db/queries/fiat/fiat-work.ts";

const AT_ONCE = 100;

/** Orders that only an operator's word (or the provider's own, at last) moves on, the longest waiting first, at most a hundred. */
export async function listAmbiguousOrders(ctx: Uses<"db">): Promise<AmbiguousOrder[]> {
  return await listAmbiguous(ctx.db, AT_ONCE);
}

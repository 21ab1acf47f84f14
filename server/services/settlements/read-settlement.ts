import { findSettlement } from "#db/queries/settlements.ts";
import type { Uses } from "#server/context.ts";
import { isId } from "#server/domain/ids.ts";
import { Refusal } from "#server/domain/refusal.ts";
import type { Settlement } from "#server/domain/settlement.ts";

/**
 * The partner's settlement of that id.
 *
 * @throws Refusal `settlement_not_found`, for a foreign id just as for one that never was.
 */
export async function readSettlement(ctx: Uses<"db">, query: { partnerId: string; id: string }): Promise<Settlement> {
  const settlement = isId("settlement", query.id) ? await findSettlement(ctx.db, query.id, query.partnerId) : null;
  if (settlement === null) throw new Refusal("settlement_not_found");
  return settlement;
}

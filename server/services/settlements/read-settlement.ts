import { findSettlement, findSettlementAsShown } from "#db/queries/settlements/settlements.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement, SettlementAsShown } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";

/**
 * The settlement of that id, of this partner where given.
 *
 * @throws Refusal `settlement_not_found`, for a foreign id just as for one that never existed.
 */
export async function readSettlement(ctx: Uses<"db">, query: { partnerId?: string; id: string }): Promise<Settlement> {
  const settlement = isId("settlement", query.id) ? await findSettlement(ctx.db, query.id, query.partnerId) : null;
  if (settlement === null) throw new Refusal("settlement_not_found");
  return settlement;
}

/** As {@link readSettlement}, with the related data that is shown with it. */
export async function readSettlementAsShown(ctx: Uses<"db">, query: { partnerId: string; id: string }): Promise<SettlementAsShown> {
  const shown = isId("settlement", query.id) ? await findSettlementAsShown(ctx.db, query.id, query.partnerId) : null;
  if (shown === null) throw new Refusal("settlement_not_found");
  return shown;
}

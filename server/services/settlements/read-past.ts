import { readPastAmounts } from "#db/queries/settlements/past-amounts.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { isId } from "#domain/ids.ts";
import type { Past } from "#domain/past-amounts.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";

export type SettlementPast = Past & { settlement: Settlement };

/**
 * The amounts of the merchant and of the wallet before a settlement, and what is known of its wallet. Only for operators, as risk hints are.
 *
 * @throws Refusal `settlement_not_found`
 */
export async function readPast(ctx: Uses<"db">, settlementId: string): Promise<SettlementPast> {
  const settlement = isId("settlement", settlementId) ? await findSettlement(ctx.db, settlementId) : null;
  if (settlement === null) throw new Refusal("settlement_not_found");
  return { settlement, ...(await readPastAmounts(ctx.db, settlement)) };
}

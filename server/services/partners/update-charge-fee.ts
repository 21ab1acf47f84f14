import type { Uses } from "#server/context.ts";
import type { By } from "#server/domain/access.ts";
import { type Decimal, formatDecimal } from "#server/domain/decimal.ts";
import type { Partner } from "#server/domain/partner.ts";
import { changePartner } from "./change-partner.ts";

export type UpdateChargeFee = { by: By; partnerId: string; chargeFeePercentage: Decimal };

/**
 * The partner's fee on the top-ups and withdrawals that come from now on (contract, part 6). What is under way keeps its own.
 *
 * @throws Refusal `forbidden`, `not_found`.
 */
export async function updateChargeFee(ctx: Uses<"db">, { by, partnerId, chargeFeePercentage }: UpdateChargeFee): Promise<Partner> {
  return await changePartner(ctx, by, partnerId, (partner) => ({
    chargeFeePercentage,
    action: "partner.charge_fee_updated",
    change: { charge_fee_percentage: [formatDecimal(partner.chargeFeePercentage), formatDecimal(chargeFeePercentage)] },
  }));
}

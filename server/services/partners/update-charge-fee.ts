import type { By } from "#domain/access.ts";
import { compare, type Decimal, formatDecimal } from "#domain/decimal.ts";
import type { Partner } from "#domain/partner.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { changePartner } from "./change-partner.ts";

export type UpdateChargeFee = {
  by: By;
  partnerId: string;
  chargeFeePercentage: Decimal;
  /** The fee that whoever decides has seen: another one by now refuses. Left out: whatever it is. */
  expected?: Decimal;
  reason?: string;
};

/**
 * The partner's fee on the top-ups and withdrawals that come from now on (contract, part 6). What is under way keeps its own.
 *
 * @throws Refusal `forbidden`, `not_found`, `conflict` (with `charge_fee_percentage`) where the fee is no longer the expected one.
 */
export async function updateChargeFee(ctx: Uses<"db" | "clock">, command: UpdateChargeFee): Promise<Partner> {
  const { by, partnerId, chargeFeePercentage, expected, reason } = command;
  return await changePartner(ctx, by, partnerId, (partner) => {
    const before = formatDecimal(partner.chargeFeePercentage);
    if (expected !== undefined && compare(expected, partner.chargeFeePercentage) !== 0) {
      const detail = `Somebody changed the fee meanwhile: it is ${before} % now.`;
      throw new Refusal("conflict", { detail, members: { charge_fee_percentage: before } });
    }
    return {
      chargeFeePercentage,
      action: "partner.charge_fee_updated",
      change: { charge_fee_percentage: [before, formatDecimal(chargeFeePercentage)] },
      reason: reason ?? null,
    };
  });
}

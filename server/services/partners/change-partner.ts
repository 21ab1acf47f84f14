import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockPartner, savePartner } from "#db/queries/partners/partners.ts";
import type { By } from "#domain/access.ts";
import { compare, type Decimal, formatDecimal } from "#domain/decimal.ts";
import type { Partner, PartnerStatus } from "#domain/partner.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

/** A change of a partner: its new fields, and their form in the audit log, in wire names. */
export type PartnerChange = Partial<Pick<Partner, "chargeFeePercentage" | "status">> & {
  action: string;
  change: Record<string, unknown>;
  reason?: string | null;
};

/**
 * Changes a partner, locked, in one transaction with its audit entry.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`.
 */
export async function changePartner(
  ctx: Uses<"db" | "clock">,
  by: By,
  id: string,
  decide: (partner: Partner) => PartnerChange,
): Promise<Partner> {
  refuseUnlessAdministrator(by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    const held = isUuid(id) ? await lockPartner(tx, id) : null;
    if (held === null) throw new Refusal("not_found", { detail: "There is no such partner." });
    const now = await readBusinessNow(tx);
    const { action, change, reason, ...changed } = decide(held);
    const partner = { ...held, ...changed, updatedAt: now };
    const chargeFeePercentage = formatDecimal(partner.chargeFeePercentage);
    await savePartner(tx, held.id, { status: partner.status, chargeFeePercentage, updatedAt: now });
    await insertAuditEntry(tx, { by, partnerId: held.id, action, objectId: held.id, reason: reason ?? null, change, now });
    return partner;
  });
}

export type SetPartnerStatus = { by: By; partnerId: string; status: PartnerStatus; reason?: string };

/**
 * Suspends a partner or lets it in again. A suspended partner's keys are refused from the next request on; what is under way runs
 * to its end.
 *
 * @throws Refusal `forbidden`, `not_found`.
 */
export async function setPartnerStatus(ctx: Uses<"db" | "clock">, { by, partnerId, status, reason }: SetPartnerStatus): Promise<Partner> {
  return await changePartner(ctx, by, partnerId, (partner) => ({
    status,
    action: status === "suspended" ? "partner.suspended" : "partner.activated",
    change: { status: [partner.status, status] },
    reason: reason ?? null,
  }));
}

export type UpdateChargeFee = {
  by: By;
  partnerId: string;
  chargeFeePercentage: Decimal;
  /** The fee that was on the screen: if it differs now, the change is refused. Omitted: any. */
  expected?: Decimal;
  reason?: string;
};

/**
 * Sets the partner's fee on future top-ups and withdrawals (contract, part 6). Existing ones keep theirs.
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

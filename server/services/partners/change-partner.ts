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

/** What becomes of a partner: its changed fields, and what the audit log says of them, in wire names. */
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
  /** The fee that anyone who decides has seen: another one by now refuses. Left out: whatever it is. */
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

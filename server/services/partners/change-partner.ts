import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockPartner, savePartner } from "#db/queries/partners/partners.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import { formatDecimal } from "#domain/decimal.ts";
import type { Partner } from "#domain/partner.ts";
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

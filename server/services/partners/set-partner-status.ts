import type { By } from "#domain/access.ts";
import type { Partner, PartnerStatus } from "#domain/partner.ts";
import type { Uses } from "#server/context.ts";
import { changePartner } from "./change-partner.ts";

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

import { renderPartner } from "#contract/partner/partner.ts";
import {
  createPartnerOperation,
  currentPartnerOperation,
  readPartnersOperation,
  updateChargeFeeOperation,
  updatePartnerStatusOperation,
} from "#contract/partner/partner-operations.ts";
import { decimal } from "#domain/decimal.ts";
import { setPartnerStatus, updateChargeFee } from "#server/services/partners/change-partner.ts";
import { createPartner } from "#server/services/partners/create-partner.ts";
import { listPartners, readPartner } from "#server/services/partners/read-partners.ts";
import { type Binding, bind } from "./bind.ts";
import { readPage, showPage } from "./page.ts";

export const PARTNERS: readonly Binding[] = [
  bind(currentPartnerOperation, async (ctx, { partnerId }) => ({ body: renderPartner(await readPartner(ctx, partnerId)) })),
  bind(readPartnersOperation, async (ctx, { query }) => showPage(await listPartners(ctx, readPage(query)), renderPartner)),
  bind(createPartnerOperation, async (ctx, { by, body }) => {
    const partner = await createPartner(ctx, {
      by,
      name: body.name,
      slug: body.slug,
      roles: body.roles,
      walletAddress: body.wallet_address ?? null,
      chargeFeePercentage: body.charge_fee_percentage ?? decimal("0"),
    });
    return { body: renderPartner(partner) };
  }),
  bind(updateChargeFeeOperation, async (ctx, { by, params, body }) => {
    const change = { by, partnerId: params.partner_id, chargeFeePercentage: body.charge_fee_percentage };
    return { body: renderPartner(await updateChargeFee(ctx, change)) };
  }),
  bind(updatePartnerStatusOperation, async (ctx, { by, params, body }) => {
    return { body: renderPartner(await setPartnerStatus(ctx, { by, partnerId: params.partner_id, status: body.status })) };
  }),
];

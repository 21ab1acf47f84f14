import {
  feeInput,
  onePartner,
  partnerInput,
  partnerPage,
  renderPartnerRow,
  slugInput,
  statusInput,
  walletInput,
} from "#contract/console/partners.ts";
import { readWalk, renderWalked } from "#contract/console/walk.ts";
import { isRefusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { browsePartners } from "#server/services/partners/browse-partners.ts";
import { checkPartnerWallet } from "#server/services/partners/check-partner-wallet.ts";
import { createPartner } from "#server/services/partners/create-partner.ts";
import { readPartnerFigures } from "#server/services/partners/read-partner-figures.ts";
import { setPartnerStatus } from "#server/services/partners/set-partner-status.ts";
import { slugIsFree } from "#server/services/partners/slug-is-free.ts";
import { updateChargeFee } from "#server/services/partners/update-charge-fee.ts";

const administer = operatorProcedure("administer");

/** Who uses the service: for the operator's people alone. Changes are an admin's, who just proved to be one. */
export const partnersRouter = router({
  list: operatorProcedure()
    .input(partnerPage)
    .query(async ({ ctx: { services }, input }) => {
      const { search, status, ...walk } = input;
      const filter = { ...(search && { search }), ...(status && { status }) };
      return renderWalked(await browsePartners(services, { filter, ...readWalk(walk, isUuid) }), renderPartnerRow);
    }),

  byId: operatorProcedure()
    .input(onePartner)
    .query(async ({ ctx: { services }, input }) => renderPartnerRow(await readPartnerFigures(services, input.partner_id))),

  slug: operatorProcedure("administer")
    .input(slugInput)
    .query(async ({ ctx: { services }, input }) => ({ free: await slugIsFree(services, input.slug) })),

  /** What is wrong with a wallet that somebody is about to give a partner; null: nothing. */
  wallet: operatorProcedure("administer")
    .input(walletInput)
    .query(async ({ ctx: { services }, input }) => {
      try {
        await checkPartnerWallet(services, input.wallet_address);
        return { problem: null };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { problem: error.particulars.detail ?? "This is an address on none of our chains." };
      }
    }),

  create: administer.input(partnerInput).mutation(async ({ ctx: { services, by }, input }) => {
    const { name, slug, roles, wallet_address: walletAddress, charge_fee_percentage: chargeFeePercentage } = input;
    return { id: (await createPartner(services, { by, name, slug, roles, walletAddress, chargeFeePercentage })).id };
  }),

  changeFee: administer.input(feeInput).mutation(async ({ ctx: { services, by }, input }) => {
    await updateChargeFee(services, {
      by,
      partnerId: input.partner_id,
      chargeFeePercentage: input.charge_fee_percentage,
      expected: input.expected_charge_fee_percentage,
      reason: input.reason,
    });
    return {};
  }),

  setStatus: administer.input(statusInput).mutation(async ({ ctx: { services, by }, input }) => {
    await setPartnerStatus(services, { by, partnerId: input.partner_id, status: input.status, reason: input.reason });
    return {};
  }),
});

import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { compare, type Decimal, decimal, formatDecimal, normalize, parseDecimal } from "#domain/decimal.ts";
import { tokenAmount } from "#domain/money.ts";
import { PARTNER_ROLES, PARTNER_STATUSES } from "#domain/partner.ts";
import { isRefusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { setPartnerStatus, updateChargeFee } from "#server/services/partners/change-partner.ts";
import { checkPartnerWallet, createPartner } from "#server/services/partners/create-partner.ts";
import { browsePartners, type PartnerRow, readPartnerFigures, slugIsFree } from "#server/services/partners/read-partners.ts";
import { done } from "./done.ts";
import { readWalk, renderWalked, walkFields } from "./walk.ts";

const feePercentage = z
  .string()
  .max(32)
  .transform((text, context) => {
    const value = parseDecimal(text);
    if (value !== null && isFee(value)) return value;
    context.addIssue({ code: "custom", message: "must be 0 to 100 with at most 4 decimals" });
    return z.NEVER;
  });

function isFee(value: Decimal): boolean {
  return compare(value, decimal("0")) >= 0 && compare(value, decimal("100")) <= 0 && normalize(value).scale <= 4;
}

const partner_id = z.string().max(64);
const slug = plainText(1, 64).regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
  error: "must be lower-case letters and digits, with single dashes between them",
});
/** Why, for the audit log. */
const reason = plainText(8, 1_000);

const partnerPage = fromWire({ search: plainText(1, 128).optional(), status: z.enum(PARTNER_STATUSES).optional(), ...walkFields });
const newPartner = fromWire({
  name: plainText(1, 128),
  slug,
  roles: z
    .array(z.enum(PARTNER_ROLES))
    .min(1)
    .max(PARTNER_ROLES.length)
    .refine((roles) => new Set(roles).size === roles.length, { error: "must name each role once" }),
  wallet_address: plainText(1, 128).nullable(),
  charge_fee_percentage: feePercentage,
});
/** `expected…`: what anyone who changes it has seen. */
const feeChange = fromWire({ partner_id, charge_fee_percentage: feePercentage, expected_charge_fee_percentage: feePercentage, reason });

const administer = operatorProcedure("administer");

/** The partners, only for operators. Changes need an admin with a recent step-up. */
export const partnersRouter = router({
  list: operatorProcedure()
    .input(partnerPage)
    .query(async ({ ctx: { services }, input: { limit, cursor, direction, ...filter } }) => {
      const walk = readWalk({ limit, cursor, direction }, isUuid);
      return renderWalked(await browsePartners(services, { filter, ...walk }), renderPartnerRow);
    }),

  byId: operatorProcedure()
    .input(fromWire({ partner_id }))
    .query(async ({ ctx: { services }, input }) => renderPartnerRow(await readPartnerFigures(services, input.partnerId))),

  slug: operatorProcedure("administer")
    .input(fromWire({ slug }))
    .query(async ({ ctx: { services }, input }) => ({ free: await slugIsFree(services, input.slug) })),

  /** The fault of a wallet address for a new partner; null: none. */
  wallet: operatorProcedure("administer")
    .input(fromWire({ wallet_address: plainText(1, 128) }))
    .query(async ({ ctx: { services }, input }) => {
      try {
        await checkPartnerWallet(services, input.walletAddress);
        return { problem: null };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { problem: error.particulars.detail ?? "This is an address on none of our chains." };
      }
    }),

  create: administer.input(newPartner).mutation(async ({ ctx: { services, by }, input }) => {
    return { id: (await createPartner(services, { by, ...input })).id };
  }),

  changeFee: administer
    .input(feeChange)
    .mutation(({ ctx: { services, by }, input: { expectedChargeFeePercentage: expected, ...change } }) =>
      done(updateChargeFee(services, { by, ...change, expected })),
    ),

  setStatus: administer
    .input(fromWire({ partner_id, status: z.enum(PARTNER_STATUSES), reason }))
    .mutation(({ ctx: { services, by }, input }) => done(setPartnerStatus(services, { by, ...input }))),
});

/** A partner with its figures of thirty days. */
function renderPartnerRow({ partner, ...figures }: PartnerRow) {
  return {
    ...toWire(partner, "id", "name", "slug", "status", "roles", "walletAddress", "createdAt", "updatedAt"),
    charge_fee_percentage: formatDecimal(partner.chargeFeePercentage),
    ...toWire(
      figures,
      "created",
      "executed",
      "failed",
      "members",
      "people",
      "keys",
      "undeliveredCallbacks",
      "retryingCallbacks",
      "lastActivityAt",
    ),
    volume: figures.volume.map(({ currency, tokenDecimals, base }) => ({ currency, amount: tokenAmount(base, tokenDecimals) })),
  };
}

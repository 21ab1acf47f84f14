import { z } from "zod";
import { jsonDecimal } from "#contract/json-number.ts";
import { exactNumber, instant, plainText, timestamp } from "#contract/primitives.ts";
import { compare, type Decimal, decimal, normalize } from "#domain/decimal.ts";
import { PARTNER_ROLES, PARTNER_STATUSES, type Partner } from "#domain/partner.ts";

export const partnerRoleSchema = z.enum(PARTNER_ROLES);

/** The partner record (specification, part 2). */
export const partnerSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  roles: z.array(partnerRoleSchema),
  slug: z.string(),
  wallet_address: z.string().describe("The partner's own Safe; empty when it has none"),
  charge_fee_percentage: z.number().describe("The partner's fee on top-ups and withdrawals, 0 to 100"),
  created_at: timestamp,
  updated_at: timestamp,
  status: z.enum(PARTNER_STATUSES),
});

const MAX_FEE_DECIMALS = 4;

const feePercentage = jsonDecimal
  .refine(isFeePercentage, { error: `must be 0 to 100 with at most ${MAX_FEE_DECIMALS} decimals` })
  .describe("0 to 100, at most 4 decimals")
  .meta({ type: "number" });

/** Without regard to case or form: a slug stands in paths and is read aloud. */
const slug = plainText(1, 64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: "must be lower-case letters and digits, with single dashes between them" })
  .describe("Unique; lower-case letters, digits and dashes");

export const partnerCreateSchema = z.strictObject({
  name: plainText(1, 128),
  slug,
  roles: z
    .array(partnerRoleSchema)
    .min(1)
    .max(PARTNER_ROLES.length)
    .refine((roles) => new Set(roles).size === roles.length, { error: "must name each role once" }),
  wallet_address: plainText(1, 128).optional().describe("The partner's own Safe"),
  charge_fee_percentage: feePercentage.optional().describe("0 when left out"),
});

export const updateChargingFeeSchema = z.strictObject({ charge_fee_percentage: feePercentage });
export const partnerStatusSchema = z.strictObject({ status: z.enum(PARTNER_STATUSES) });

export function renderPartner(partner: Partner): z.infer<typeof partnerSchema> {
  return {
    id: partner.id,
    name: partner.name,
    roles: [...partner.roles],
    slug: partner.slug,
    // The specification types the field as a text: no wallet is the empty one.
    wallet_address: partner.walletAddress ?? "",
    charge_fee_percentage: exactNumber(partner.chargeFeePercentage),
    created_at: instant(partner.createdAt),
    updated_at: instant(partner.updatedAt),
    status: partner.status,
  };
}

function isFeePercentage(value: Decimal): boolean {
  return compare(value, decimal("0")) >= 0 && compare(value, decimal("100")) <= 0 && normalize(value).scale <= MAX_FEE_DECIMALS;
}

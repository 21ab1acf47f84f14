import { z } from "zod";
import { jsonDecimal } from "#contract/json-number.ts";
import { exactNumber, plainText } from "#contract/primitives.ts";
import { createdAt, updatedAt } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import { compare, type Decimal, decimal, normalize } from "#domain/decimal.ts";
import { PARTNER_ROLES, PARTNER_STATUSES, type Partner } from "#domain/partner.ts";

export const partnerRoleSchema = z.enum(PARTNER_ROLES);

const NAME = "The partner's name, for people";
const ROLES = "What the partner does. AGGREGATOR: it brings in merchants. LIQUIDITY_PROVIDER: it provides funds";
const STATUS = "Whether the partner may use the service. suspended: every request of its keys is refused with partner_suspended";

/** The partner record (specification, part 2). */
export const partnerSchema = z.object({
  id: z.uuid().describe("The partner's id"),
  name: z.string().describe(NAME),
  roles: z.array(partnerRoleSchema).describe(ROLES),
  slug: z.string().describe("A short name for paths and people, unique among partners"),
  wallet_address: z.string().describe("The address of the partner's own Safe. Empty if it has none"),
  charge_fee_percentage: z
    .number()
    .describe("The partner's fee on top-ups and withdrawals, in percent, 0 to 100. Settlements have another fee"),
  created_at: createdAt,
  updated_at: updatedAt,
  status: z.enum(PARTNER_STATUSES).describe(STATUS),
});

const MAX_FEE_DECIMALS = 4;

const feePercentage = jsonDecimal
  .refine(isFeePercentage, { error: `must be 0 to 100 with at most ${MAX_FEE_DECIMALS} decimals` })
  .describe("The fee on top-ups and withdrawals, in percent: 0 to 100, with at most 4 decimals")
  .meta({ type: "number" });

/** Case-insensitive and normalised: a slug is used in paths and read aloud. */
const slug = plainText(1, 64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: "must be lower-case letters and digits, with single dashes between them" })
  .describe("A short name for paths and people, unique among partners. It consists of lower-case letters, digits and dashes");

export const partnerCreateSchema = z.strictObject({
  name: plainText(1, 128).describe(NAME),
  slug,
  roles: z
    .array(partnerRoleSchema)
    .min(1)
    .max(PARTNER_ROLES.length)
    .refine((roles) => new Set(roles).size === roles.length, { error: "must name each role once" })
    .describe(ROLES),
  wallet_address: plainText(1, 128).optional().describe("The address of the partner's own Safe"),
  charge_fee_percentage: feePercentage
    .optional()
    .describe("The fee on top-ups and withdrawals, in percent: 0 to 100, with at most 4 decimals. The default is 0"),
});

export const updateChargingFeeSchema = z.strictObject({ charge_fee_percentage: feePercentage });
export const partnerStatusSchema = z.strictObject({ status: z.enum(PARTNER_STATUSES).describe(STATUS) });

export function renderPartner(partner: Partner): z.infer<typeof partnerSchema> {
  return {
    ...toWire(partner, "id", "name", "roles", "slug"),
    // The specification types the field as a text: no wallet is the empty one.
    wallet_address: partner.walletAddress ?? "",
    charge_fee_percentage: exactNumber(partner.chargeFeePercentage),
    ...toWire(partner, "createdAt", "updatedAt", "status"),
  };
}

function isFeePercentage(value: Decimal): boolean {
  return compare(value, decimal("0")) >= 0 && compare(value, decimal("100")) <= 0 && normalize(value).scale <= MAX_FEE_DECIMALS;
}

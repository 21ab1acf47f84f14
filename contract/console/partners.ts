import { z } from "zod";
import { instant, instantOrNull, plainText } from "#contract/primitives.ts";
import { compare, type Decimal, decimal, formatDecimal, normalize, parseDecimal } from "#domain/decimal.ts";
import { baseToDecimal } from "#domain/money.ts";
import { PARTNER_ROLES, PARTNER_STATUSES, type Partner } from "#domain/partner.ts";
import { walkFields } from "#server/console/walk.ts";

/** Partners as the operator's people ask for them and see them, in wire names. */

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

const slug = plainText(1, 64).regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
  error: "must be lower-case letters and digits, with single dashes between them",
});
/** Why, for the audit log. */
const reason = plainText(8, 1_000);

export const partnerPage = z.strictObject({
  search: plainText(1, 128).optional(),
  status: z.enum(PARTNER_STATUSES).optional(),
  ...walkFields,
});
export const onePartner = z.strictObject({ partner_id: z.string().max(64) });
export const slugInput = z.strictObject({ slug });
export const walletInput = z.strictObject({ wallet_address: plainText(1, 128) });
export const partnerInput = z.strictObject({
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
export const feeInput = z.strictObject({
  partner_id: z.string().max(64),
  charge_fee_percentage: feePercentage,
  /** What whoever changes it has seen. */
  expected_charge_fee_percentage: feePercentage,
  reason,
});
export const statusInput = z.strictObject({ partner_id: z.string().max(64), status: z.enum(PARTNER_STATUSES), reason });

type Row = {
  partner: Partner;
  volume: readonly { currency: string; tokenDecimals: number; base: bigint }[];
  created: number;
  executed: number;
  failed: number;
  members: number;
  people: number;
  keys: number;
  undeliveredCallbacks: number;
  lastActivityAt: Date | null;
};

export function renderPartnerRow({ partner, volume, lastActivityAt, undeliveredCallbacks, ...counts }: Row) {
  return {
    id: partner.id,
    name: partner.name,
    slug: partner.slug,
    status: partner.status,
    roles: [...partner.roles],
    wallet_address: partner.walletAddress,
    charge_fee_percentage: formatDecimal(partner.chargeFeePercentage),
    created_at: instant(partner.createdAt),
    updated_at: instant(partner.updatedAt),
    ...counts,
    undelivered_callbacks: undeliveredCallbacks,
    volume: volume.map(({ currency, tokenDecimals, base }) => ({ currency, amount: formatDecimal(baseToDecimal(base, tokenDecimals)) })),
    last_activity_at: instantOrNull(lastActivityAt),
  };
}
export type PartnerRowWire = ReturnType<typeof renderPartnerRow>;

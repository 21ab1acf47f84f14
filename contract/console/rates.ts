import { z } from "zod";
import { caip2, instant, instantOrNull, plainText } from "#contract/primitives.ts";
import { type Decimal, formatDecimal, parseDecimal } from "#domain/decimal.ts";
import { baseToDecimal, decimalToBase, fiatAmount } from "#domain/money.ts";
import type { Terms } from "#domain/pair-terms.ts";
import { publishedMidRate, quotedRate } from "#domain/quote.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";

/** Rates and terms as people read and write them: amounts are decimals in units of their currencies, as texts. */

const decimalText = z.string().regex(/^\d{1,30}(\.\d{1,18})?$/, { error: "must be a plain decimal" });
const currency = plainText(1, 16);

const termsFields = z.strictObject({
  enabled: z.boolean(),
  spread_bps: z.int(),
  platform_fee: decimalText,
  minimum_source_amount: decimalText,
  maximum_source_amount: decimalText,
  two_approvals_above_amount: decimalText.nullable(),
  quote_lifetime_seconds: z.int(),
  approved_lifetime_seconds: z.int(),
});
export type TermsInput = z.output<typeof termsFields>;

/** `partner_id` null: the pair's own terms. */
const ownerFields = { source_currency: currency, destination_currency: currency, chain: caip2, partner_id: z.uuid().nullable() };
export const termsOwner = z.strictObject(ownerFields);
export type TermsOwnerInput = z.output<typeof termsOwner>;
export const termsPreview = z.strictObject({ ...ownerFields, terms: termsFields });

const reason = plainText(8, 1_000);
const expected_version = z.int().min(0);
export const termsChange = z.strictObject({ ...ownerFields, terms: termsFields, expected_version, reason });
export const overrideEnd = z.strictObject({ ...ownerFields, partner_id: z.uuid(), expected_version, reason });
export const conversion = z.strictObject({ from: currency, to: currency, amount: decimalText });

/**
 * The terms inside. Whether they make sense, the domain says.
 *
 * @throws Refusal `validation_failed` for an amount finer than its currency.
 */
export function readTerms(input: TermsInput, sourceExponent: number, tokenDecimals: number): Terms {
  const errors: Fault[] = [];
  const read = (name: keyof TermsInput, text: string, decimals: number) => {
    const value = parseDecimal(text);
    const units = value === null ? null : decimalToBase(value, decimals);
    if (units === null) errors.push({ pointer: `/${name}`, code: "out_of_range", message: `must have at most ${decimals} decimals` });
    return units ?? 0n;
  };
  const two = input.two_approvals_above_amount;
  const terms: Terms = {
    enabled: input.enabled,
    spreadBps: input.spread_bps,
    platformFeeBase: read("platform_fee", input.platform_fee, tokenDecimals),
    minimumSourceMinor: read("minimum_source_amount", input.minimum_source_amount, sourceExponent),
    maximumSourceMinor: read("maximum_source_amount", input.maximum_source_amount, sourceExponent),
    twoApprovalsAboveMinor: two === null ? null : read("two_approvals_above_amount", two, sourceExponent),
    quoteLifetimeSeconds: input.quote_lifetime_seconds,
    approvedLifetimeSeconds: input.approved_lifetime_seconds,
  };
  if (errors.length > 0) throw new Refusal("validation_failed", { errors });
  return terms;
}

type Owned = Terms & { sourceCurrency: string; version: number; withdrawn: boolean; createdAt: Date };

/** The terms of one version. */
export function renderTerms(terms: Owned, tokenDecimals: number) {
  const fiat = (minor: bigint) => fiatAmount(minor, terms.sourceCurrency);
  return {
    version: terms.version,
    withdrawn: terms.withdrawn,
    enabled: terms.enabled,
    spread_bps: terms.spreadBps,
    platform_fee: formatDecimal(baseToDecimal(terms.platformFeeBase, tokenDecimals)),
    minimum_source_amount: fiat(terms.minimumSourceMinor),
    maximum_source_amount: fiat(terms.maximumSourceMinor),
    two_approvals_above_amount: terms.twoApprovalsAboveMinor === null ? null : fiat(terms.twoApprovalsAboveMinor),
    quote_lifetime_seconds: terms.quoteLifetimeSeconds,
    approved_lifetime_seconds: terms.approvedLifetimeSeconds,
    created_at: instant(terms.createdAt),
  };
}

type Rate = { midRate: Decimal; source: string; asOf: Date; staleAt: Date | null };

/** `as_of` null: a fixed rate, which does not age. Times are real time. */
export function renderRate({ midRate, source, asOf, staleAt }: Rate) {
  const published = formatDecimal(publishedMidRate(midRate));
  return { mid_rate: published, source, as_of: staleAt === null ? null : instant(asOf), stale_at: instantOrNull(staleAt) };
}

type Sample = { exchangeRate: Decimal; destinationAmountBase: bigint } | { obstacle: string };
type Preview = {
  sourceAmountMinor: bigint;
  current: Sample | null;
  proposed: Sample;
  tokenDecimals: number;
  settlements: number;
  approvals: { current: number; proposed: number };
  twoApprovals: { current: number; proposed: number };
};

export function renderTermsPreview(preview: Preview, sourceCurrency: string) {
  const sample = (quote: Sample) =>
    "obstacle" in quote
      ? { exchange_rate: null, destination_amount: null, obstacle: quote.obstacle }
      : {
          exchange_rate: formatDecimal(quote.exchangeRate),
          destination_amount: formatDecimal(baseToDecimal(quote.destinationAmountBase, preview.tokenDecimals)),
          obstacle: null,
        };
  return {
    source_amount: fiatAmount(preview.sourceAmountMinor, sourceCurrency),
    current: preview.current && sample(preview.current),
    proposed: sample(preview.proposed),
    settlements: preview.settlements,
    approvals: preview.approvals,
    two_approvals: preview.twoApprovals,
  };
}

/** What a partner is quoted now; null without a rate. */
export function renderQuotedRate(midRate: Decimal, spreadBps: number): string {
  return formatDecimal(quotedRate(midRate, spreadBps));
}

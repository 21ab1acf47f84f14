import { findFiatCurrency } from "#domain/currency.ts";
import type { Decimal } from "#domain/decimal.ts";
import { type PairOnChain, refuseBelowMinimum } from "#domain/pair-terms.ts";
import { priceSource, quotedRate } from "#domain/quote.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { rateOrRefusal } from "./read-fresh-rate.ts";
import { type Pricing, readPricing } from "./read-pricing.ts";

export type PreviewRate = PairOnChain & { partnerId: string; sourceAmountMinor: bigint | null };
export type RatePreview = PairOnChain & {
  /** With the partner's spread in it: the rate that a settlement created at this instant would get. */
  exchangeRate: Decimal;
  platformFeeBase: bigint;
  tokenDecimals: number;
  /** When the mid rate was observed (real time). */
  asOf: Date;
  /** null: no amount was asked about. */
  amounts: { sourceAmountMinor: bigint; destinationAmountBase: bigint } | null;
};

const AMOUNT = { parameter: "source_amount" };

/**
 * The price that would be quoted now (contract, part 2 "rates/preview"). Indicative: nothing is stored and nothing is promised.
 * An amount above the pair's maximum is priced like any other, although a settlement of it would await an admin.
 *
 * @throws Refusal `unsupported_pair`, `unsupported_chain`, `rate_unavailable`; for the amount `amount_too_small`, `amount_too_large`.
 */
export async function previewRate(ctx: Uses<"db" | "chains">, query: PreviewRate): Promise<RatePreview> {
  const pricing = await readPricing(ctx, query);
  if (query.sourceAmountMinor !== null) refuseBelowMinimum(pricing.terms, query.sourceAmountMinor, AMOUNT);
  const rate = rateOrRefusal(pricing.rate);
  const exchangeRate = quotedRate(rate.midRate, pricing.terms.spreadBps);
  return {
    sourceCurrency: query.sourceCurrency,
    destinationCurrency: query.destinationCurrency,
    chain: query.chain,
    exchangeRate,
    platformFeeBase: pricing.terms.platformFeeBase,
    tokenDecimals: pricing.token.decimals,
    asOf: rate.asOf,
    amounts: query.sourceAmountMinor === null ? null : priceAmount(pricing, exchangeRate, query.sourceAmountMinor),
  };
}

function priceAmount({ terms, token }: Pricing, exchangeRate: Decimal, sourceAmountMinor: bigint): RatePreview["amounts"] {
  const source = findFiatCurrency(terms.sourceCurrency);
  if (source === null) throw new Refusal("unsupported_pair");
  const { destinationAmountBase } = priceSource(
    {
      sourceAmountMinor,
      sourceExponent: source.exponent,
      exchangeRate,
      platformFeeBase: terms.platformFeeBase,
      tokenDecimals: token.decimals,
    },
    AMOUNT,
  );
  return { sourceAmountMinor, destinationAmountBase };
}

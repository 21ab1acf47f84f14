import { findFiatCurrency } from "#domain/currency.ts";
import { priceSource, quotedRate } from "#domain/quote.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Quote } from "#domain/settlement.ts";
import type { Pricing } from "#server/services/rates/read-pricing.ts";
import { rateOrRefusal } from "#server/services/rates/read-rates.ts";

/**
 * Makes the quote of a settlement from the terms and the rate in force (contract, part 1): valid for `lifetimeSeconds` from the
 * instant of the pricing.
 *
 * @throws Refusal `rate_unavailable` without a fresh rate, `amount_too_small` or `amount_too_large` where nothing could be paid
 * out or the amount cannot be written exactly.
 */
export function priceSettlement(pricing: Pricing, sourceAmountMinor: bigint, valid: { version: number; lifetimeSeconds: number }): Quote {
  const { terms, token, now } = pricing;
  const rate = rateOrRefusal(pricing.rate);
  const source = findFiatCurrency(terms.sourceCurrency);
  if (source === null) throw new Refusal("unsupported_pair");
  const exchangeRate = quotedRate(rate.midRate, terms.spreadBps);
  const price = priceSource({
    sourceAmountMinor,
    sourceExponent: source.exponent,
    exchangeRate,
    platformFeeBase: terms.platformFeeBase,
    tokenDecimals: token.decimals,
  });
  return {
    version: valid.version,
    exchangeRate,
    midRate: rate.midRate,
    spreadBps: terms.spreadBps,
    rateSource: rate.source,
    rateAsOf: rate.asOf,
    pairTermsId: terms.id,
    ...price,
    pricedAt: now,
    expiresAt: new Date(now.getTime() + valid.lifetimeSeconds * 1_000),
  };
}

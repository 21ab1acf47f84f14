import { findPartner } from "#db/queries/partners/partners.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { compare, type Decimal, formatDecimal } from "#domain/decimal.ts";
import type { FiatPriceInput } from "#domain/fiat-price.ts";
import { publishableAmount } from "#domain/money.ts";
import type { Partner } from "#domain/partner.ts";
import type { AgreedPrice } from "#domain/quote.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { type Pricing, readPricing } from "#server/services/rates/read-pricing.ts";
import { rateOrRefusal } from "#server/services/rates/read-rates.ts";
import type { PairPlaces } from "#server/services/rates/unsupported-pair.ts";

/** As the two kinds of orders name their currencies: `source` is fiat here, whichever way the money goes. */
export const WITHDRAWAL_FIELDS: PairPlaces = { source: { pointer: "/currency" }, destination: { pointer: "/source_currency" } };
export const TOPUP_FIELDS: PairPlaces = { source: { pointer: "/currency" }, destination: { pointer: "/destination_currency" } };

export type PriceOrder = { partnerId: string; chain: string; currency: string; crypto: string; amountMinor: bigint };

/** The basis of a top-up's or withdrawal's price, stored on the order. */
export type OrderPricing = {
  partner: Partner;
  pricing: Pricing;
  input: FiatPriceInput;
  kept: Omit<AgreedPrice, "exchangeRate"> & Pick<FiatPriceInput, "chargeFeePercentage">;
};

/**
 * The partner's fee, and the terms and fresh rate of the fiat–crypto pair: the same that its settlements are quoted from.
 *
 * @throws Refusal `unsupported_chain`, `unsupported_pair`, `rate_unavailable`, `not_found` (the partner is gone).
 */
export async function priceOrder(ctx: Uses<"db" | "chains">, order: PriceOrder, fields: PairPlaces): Promise<OrderPricing> {
  const partner = await findPartner(ctx.db, order.partnerId);
  if (partner === null) throw new Refusal("not_found");
  const { partnerId, chain, currency: sourceCurrency, crypto: destinationCurrency } = order;
  const pricing = await readPricing(ctx, { partnerId, chain, sourceCurrency, destinationCurrency }, fields);
  const rate = rateOrRefusal(pricing.rate);
  const fiat = findFiatCurrency(order.currency);
  if (fiat === null) throw new Refusal("unsupported_pair");
  const { midRate, source: rateSource, asOf: rateAsOf } = rate;
  const { spreadBps, id: pairTermsId } = pricing.terms;
  const { chargeFeePercentage } = partner;
  const { exponent } = fiat;
  const tokenDecimals = pricing.token.decimals;
  return {
    partner,
    pricing,
    input: { amountMinor: order.amountMinor, exponent, midRate, spreadBps, chargeFeePercentage, tokenDecimals },
    kept: { midRate, spreadBps, chargeFeePercentage, rateSource, rateAsOf, pairTermsId },
  };
}

type Wished = { at: bigint; most?: Decimal | undefined; least?: Decimal | undefined };

/** Keeps what the partner wished of the crypto side. Nothing is stored yet. @throws Refusal `quote_changed` with the amount of now */
export function refuseOtherPrice(
  side: "source_amount" | "destination_amount",
  { tokenDecimals }: { tokenDecimals: number },
  { at, most, least }: Wished,
): void {
  const now = publishableAmount(at, tokenDecimals);
  const isKept = (most === undefined || compare(now, most) <= 0) && (least === undefined || compare(now, least) >= 0);
  if (isKept) return;
  throw new Refusal("quote_changed", {
    detail: `At the present rate the ${side} is ${formatDecimal(now)}.`,
    members: { [`current_${side}`]: Number(formatDecimal(now)) },
  });
}

import type { FreshRate } from "#db/queries/rates/exchange-rates.ts";
import { findPricedTerms, type PricedTerms } from "#db/queries/rates/pair-terms.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import type { PairOnChain, PairTerms } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";
import { NOT_TRADED, type PairPlaces, SETTLEMENT_FIELDS, unsupportedPair } from "./unsupported-pair.ts";

/** Everything that determines a price, at one instant. */
export type Pricing = {
  terms: PairTerms;
  /** null: there is no fresh rate, so nobody can quote. */
  rate: FreshRate | null;
  chain: ChainInfo;
  token: TokenInfo;
  /** Business time. */
  now: Date;
};

/**
 * The terms in force for this partner, the fresh rate and business time: one round trip.
 *
 * @throws Refusal `unsupported_chain` for a chain that this installation does not pay on, `unsupported_pair` for a currency or a
 * combination that the partner may not quote (contract, part 9 "Errors"). `places`: where the request names the currencies.
 */
export async function readPricing(
  ctx: Uses<"db" | "chains">,
  key: PairOnChain & { partnerId: string },
  places: PairPlaces = SETTLEMENT_FIELDS,
): Promise<Pricing> {
  const market = findMarket(ctx, key, places);
  return pricingOn(market, await findPricedTerms(ctx.db, key));
}

/** Values that need no query. */
export type Market = Pick<Pricing, "chain" | "token">;

/** @throws Refusal as {@link readPricing}. */
export function findMarket(ctx: Uses<"chains">, key: PairOnChain, places: PairPlaces = SETTLEMENT_FIELDS): Market {
  const chain = ctx.chains.find(key.chain);
  if (chain === null) throw new Refusal("unsupported_chain", { detail: "There are no payments on this chain." });
  const token = chain.tokens.find((each) => each.currency === key.destinationCurrency);
  if (token === undefined || findFiatCurrency(key.sourceCurrency) === null)
    throw unsupportedPair(ctx, [
      { code: key.sourceCurrency, at: places.source, isUnknown: findFiatCurrency(key.sourceCurrency) === null },
      { code: key.destinationCurrency, at: places.destination, isUnknown: token === undefined },
    ]);
  return { chain, token };
}

/** @throws Refusal `unsupported_pair` where nothing may be quoted. */
export function pricingOn(market: Market, priced: PricedTerms | null): Pricing {
  if (priced === null || !priced.terms.enabled) throw new Refusal("unsupported_pair", { detail: NOT_TRADED });
  return { ...priced, ...market };
}

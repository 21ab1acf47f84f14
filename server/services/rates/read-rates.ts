import { type FreshRate, findFreshRate, listFreshRates } from "#db/queries/rates/exchange-rates.ts";
import { pairIsKnown } from "#db/queries/rates/pair-terms.ts";
import { convertAmount, readConvertible } from "#domain/conversion.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import type { Decimal } from "#domain/decimal.ts";
import { displayDecimals } from "#domain/money.ts";
import { isPublishableRate, publishedMidRate } from "#domain/quote.ts";
import type { CurrencyPair } from "#domain/rate.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { unsupportedPair } from "./unsupported-pair.ts";

/** Rates are fetched every few seconds: a caller who retries after this time probably finds one. */
const RETRY_AFTER_SECONDS = 5;

/**
 * The mid rate of two currencies, fresh by real time. A fixed rate never ages.
 *
 * @throws Refusal `rate_unavailable` without a rate that is fresh enough.
 */
export async function readFreshRate(ctx: Uses<"db">, pair: CurrencyPair): Promise<FreshRate> {
  return rateOrRefusal(await findFreshRate(ctx.db, pair));
}

/** The rate that was found, or the refusal that its absence is. */
export function rateOrRefusal(rate: FreshRate | null): FreshRate {
  if (rate !== null) return rate;
  throw new Refusal("rate_unavailable", {
    detail: "There is no fresh rate for this pair right now.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** A mid rate as it is published: before any spread, at most 12 significant digits, rounded down. */
export type ListedRate = { sourceCurrency: string; destinationCurrency: string; rate: Decimal; source: string; asOf: Date };

/** The present mid rates (contract, part 6 "Exchange Rates"), by currencies, without stale ones. */
export async function listExchangeRates(ctx: Uses<"db">): Promise<ListedRate[]> {
  const rates = await listFreshRates(ctx.db);
  return rates.map(({ midRate, ...rate }) => ({ ...rate, rate: publishedMidRate(midRate) })).filter(({ rate }) => isPublishableRate(rate));
}

export type ConvertCurrency = {
  from: string;
  to: string /** As the request writes it: fiat in minor units, crypto in units. */;
  amount: string;
};
export type Conversion = { from: string; to: string; amount: Decimal; rate: Decimal; convertedAmount: Decimal; asOf: Date };

/**
 * Converts an amount of fiat to crypto, or back, at the mid rate (contract, part 6 "Convert To Currency"). The result is amount × published
 * rate, truncated after the last unit, so that anyone can check it. Nothing is promised.
 *
 * @throws Refusal `unsupported_pair`, `validation_failed` for an amount that its currency cannot have, `amount_too_large`,
 * `rate_unavailable`.
 */
export async function convertCurrency(ctx: Uses<"db" | "chains">, { from, to, amount }: ConvertCurrency): Promise<Conversion> {
  const isFromFiat = findFiatCurrency(from) !== null;
  const pair = isFromFiat ? { sourceCurrency: from, destinationCurrency: to } : { sourceCurrency: to, destinationCurrency: from };
  const fiat = findFiatCurrency(pair.sourceCurrency);
  const cryptoDecimals = findDecimals(ctx, pair.destinationCurrency);
  if (fiat === null || cryptoDecimals === null || !(await pairIsKnown(ctx.db, pair)))
    throw unsupportedPair(ctx, [
      { code: from, at: { parameter: "from" } },
      { code: to, at: { parameter: "to" } },
    ]);
  const read = readConvertible(amount, isFromFiat ? 0 : cryptoDecimals);
  const { midRate, asOf } = rateOrRefusal(await findFreshRate(ctx.db, pair));
  const direction = isFromFiat ? "fiat_to_crypto" : "crypto_to_fiat";
  return { from, to, amount: read, asOf, ...convertAmount({ direction, amount: read, midRate, exponent: fiat.exponent, cryptoDecimals }) };
}

/** The decimals for amounts of the currency on any chain: the fewest of all chains'. Null: no chain has it. */
function findDecimals(ctx: Uses<"chains">, currency: string): number | null {
  const tokens = ctx.chains.list().flatMap((chain) => chain.tokens.filter((token) => token.currency === currency));
  return tokens.length === 0 ? null : Math.min(...tokens.map((token) => displayDecimals(token.decimals)));
}

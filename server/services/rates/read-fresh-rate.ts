import { type FreshRate, findFreshRate } from "#db/queries/rates/exchange-rates.ts";
import type { CurrencyPair } from "#domain/rate.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** Rates are asked for every few seconds: a caller who comes back after this long probably finds one. */
const RETRY_AFTER_SECONDS = 5;

/**
 * The mid rate of two currencies, fresh by real time. A fixed rate never ages.
 *
 * @throws Refusal `rate_unavailable` when there is none, or none that is young enough.
 */
export async function readFreshRate(ctx: Uses<"db">, pair: CurrencyPair): Promise<FreshRate> {
  return rateOrRefusal(await findFreshRate(ctx.db, pair));
}

/** The rate that was found, or the refusal that its absence is. */
export function rateOrRefusal(rate: FreshRate | null): FreshRate {
  if (rate !== null) return rate;
  throw new Refusal("rate_unavailable", {
    detail: "There is no fresh rate for this pair just now.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

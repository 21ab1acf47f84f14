import { listFreshRates } from "#db/queries/rates/exchange-rates.ts";
import type { Decimal } from "#domain/decimal.ts";
import { isPublishableRate, publishedMidRate } from "#domain/quote.ts";
import type { Uses } from "#server/context.ts";

/** A mid rate as it is published: before any spread, at most 12 significant digits, rounded down. */
export type ListedRate = { sourceCurrency: string; destinationCurrency: string; rate: Decimal; source: string; asOf: Date };

/** The rates that quoting starts from at this moment (contract, part 6 "Exchange Rates"), by currencies. A stale rate is none. */
export async function listExchangeRates(ctx: Uses<"db">): Promise<ListedRate[]> {
  const rates = await listFreshRates(ctx.db);
  return rates.map(({ midRate, ...rate }) => ({ ...rate, rate: publishedMidRate(midRate) })).filter(({ rate }) => isPublishableRate(rate));
}

import type { FreshRate } from "#db/queries/exchange-rates.ts";
import { listTerms } from "#db/queries/pair-terms.ts";
import type { Uses } from "#server/context.ts";
import { findFiatCurrency } from "#server/domain/currency.ts";
import type { PairTerms } from "#server/domain/pair-terms.ts";
import { isQuotable } from "#server/domain/quote.ts";
import type { TokenInfo } from "#server/ports.ts";

/** A pair that the partner may quote, and whether it could just now. */
export type PairListing = { terms: PairTerms; token: TokenInfo; rate: FreshRate | null; quoting: "up" | "down" };

/**
 * Every pair that the partner may quote under the terms in force for it (contract, part 2 "pairs"), ordered by currencies and
 * chain. `quoting` is `down` while no fresh rate exists: creating a settlement would then be refused with `rate_unavailable`.
 */
export async function listPairs(ctx: Uses<"db" | "chains">, query: { partnerId: string }): Promise<PairListing[]> {
  const listed = await listTerms(ctx.db, query.partnerId);
  return listed.flatMap(({ terms, rate }) => {
    const token = ctx.chains.find(terms.chain)?.tokens.find((each) => each.currency === terms.destinationCurrency);
    // Terms outlive the configuration: of a chain or token that is gone, nothing can be quoted.
    if (token === undefined || findFiatCurrency(terms.sourceCurrency) === null) return [];
    const quoting = rate !== null && isQuotable(rate.midRate, terms.spreadBps) ? "up" : "down";
    return [{ terms, token, rate, quoting }];
  });
}

import type { FreshRate } from "#db/queries/exchange-rates.ts";
import { listTerms } from "#db/queries/pair-terms.ts";
import { chainStands } from "#db/queries/wallets.ts";
import type { Uses } from "#server/context.ts";
import { findFiatCurrency } from "#server/domain/currency.ts";
import type { PairTerms } from "#server/domain/pair-terms.ts";
import { isQuotable } from "#server/domain/quote.ts";
import type { TokenInfo } from "#server/ports.ts";

/** A pair that the partner may quote, and whether it could just now. */
export type PairListing = { terms: PairTerms; token: TokenInfo; rate: FreshRate | null; quoting: "up" | "down" };

/**
 * Every pair that the partner may quote under the terms in force for it (contract, part 2 "pairs"), ordered by currencies and
 * chain. `quoting` is `down` while creating a settlement would be refused for a reason of ours: no fresh rate
 * (`rate_unavailable`), or a chain whose every wallet an operator has paused (`liquidity_unavailable`).
 */
export async function listPairs(ctx: Uses<"db" | "chains">, query: { partnerId: string }): Promise<PairListing[]> {
  const listed = await listTerms(ctx.db, query.partnerId);
  const paused = await findPausedChains(ctx, new Set(listed.map(({ terms }) => terms.chain)));
  return listed.flatMap(({ terms, rate }) => {
    const token = ctx.chains.find(terms.chain)?.tokens.find((each) => each.currency === terms.destinationCurrency);
    // Terms outlive the configuration: of a chain or token that is gone, nothing can be quoted.
    if (token === undefined || findFiatCurrency(terms.sourceCurrency) === null) return [];
    const isUp = rate !== null && isQuotable(rate.midRate, terms.spreadBps) && !paused.has(terms.chain);
    return [{ terms, token, rate, quoting: isUp ? "up" : "down" }];
  });
}

async function findPausedChains(ctx: Uses<"db">, chains: ReadonlySet<string>): Promise<Set<string>> {
  const paused = new Set<string>();
  for (const chain of chains) if (await chainStands(ctx.db, chain)) paused.add(chain);
  return paused;
}

import type { Database } from "#db/client.ts";
import { areOpenLimitsInForce, readOpenLimits } from "#db/queries/exposure/open-quotes.ts";
import type { FreshRate } from "#db/queries/rates/exchange-rates.ts";
import { listTerms } from "#db/queries/rates/pair-terms.ts";
import { isChainHalted } from "#db/queries/transfers/chain-halt.ts";
import { listLiquidity } from "#db/queries/transfers/liquidity.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { floorToUnits, multiply } from "#domain/decimal.ts";
import { coversPayment, type Funds } from "#domain/liquidity.ts";
import { findExceeded } from "#domain/open-quotes.ts";
import type { PairTerms } from "#domain/pair-terms.ts";
import { isQuotable, quotedRate } from "#domain/quote.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Uses } from "#server/context.ts";

/** A pair that the partner may quote, and whether it could just now. */
export type PairListing = { terms: PairTerms; token: TokenInfo; rate: FreshRate | null; quoting: "up" | "down" };

/**
 * Every pair that the partner may quote under its present terms (contract, part 2 "pairs"), ordered by currencies and chain. `quoting` is
 * `down` while the service would refuse to create a settlement: no fresh rate (`rate_unavailable`), a chain on which an operator has paused
 * every wallet, a treasury that, minus its promises, cannot pay the pair's smallest quote, or as many open quotes as a limit allows
 * (`liquidity_unavailable`).
 */
export async function listPairs(ctx: Uses<"db" | "chains">, query: { partnerId: string }): Promise<PairListing[]> {
  const listed = await listTerms(ctx.db, query.partnerId);
  const paused = await findPausedChains(ctx, new Set(listed.map(({ terms }) => terms.chain)));
  const liquidity = new Map((await listLiquidity(ctx.db)).map((funds) => [`${funds.chain} ${funds.currency}`, funds]));
  const closed = await listClosedPairs(ctx.db, query.partnerId, listed);
  return listed.flatMap(({ terms, rate }) => {
    const token = ctx.chains.find(terms.chain)?.tokens.find((each) => each.currency === terms.destinationCurrency);
    // Terms outlive the configuration: of a chain or token that is gone, nothing can be quoted.
    if (token === undefined || findFiatCurrency(terms.sourceCurrency) === null) return [];
    const funds = liquidity.get(`${terms.chain} ${terms.destinationCurrency}`) ?? null;
    const isOpen = !closed.has(`${terms.sourceCurrency} ${terms.destinationCurrency} ${terms.chain}`);
    const isUp = isOpen && !paused.has(terms.chain) && canQuote(terms, token, rate, funds);
    return [{ terms, token, rate, quoting: isUp ? "up" : "down" }];
  });
}

/** Pairs whose smallest quote would exceed a limit on open quotes. */
async function listClosedPairs(db: Database, partnerId: string, listed: readonly { terms: PairTerms }[]): Promise<Set<string>> {
  const closed = new Set<string>();
  for (const { terms } of (await areOpenLimitsInForce(db)) ? listed : []) {
    const { sourceCurrency: currency, destinationCurrency, chain, minimumSourceMinor: amountMinor } = terms;
    const open = await readOpenLimits(db, { partnerId, sourceCurrency: currency, destinationCurrency, chain });
    if (findExceeded(open, { amountMinor, currency }) !== null) closed.add(`${currency} ${destinationCurrency} ${chain}`);
  }
  return closed;
}

function canQuote(terms: PairTerms, token: TokenInfo, rate: FreshRate | null, funds: Funds): boolean {
  if (rate === null || !isQuotable(rate.midRate, terms.spreadBps)) return false;
  return coversPayment(funds, smallestPayment(terms, token, rate));
}

/** What the pair's minimum delivers, or if that is zero, the smallest deliverable amount. */
function smallestPayment(terms: PairTerms, token: TokenInfo, rate: FreshRate): bigint {
  const source = findFiatCurrency(terms.sourceCurrency);
  const exchangeRate = quotedRate(rate.midRate, terms.spreadBps);
  const gross = multiply({ coefficient: terms.minimumSourceMinor, scale: source?.exponent ?? 0 }, exchangeRate);
  const net = floorToUnits(gross, token.decimals) - terms.platformFeeBase;
  return net > 0n ? net : 1n;
}

async function findPausedChains(ctx: Uses<"db">, chains: ReadonlySet<string>): Promise<Set<string>> {
  const paused = new Set<string>();
  for (const chain of chains) if (await isChainHalted(ctx.db, chain)) paused.add(chain);
  return paused;
}

import { listRates, type StoredRate } from "#db/queries/rates/exchange-rates.ts";
import type { TermsOwner, TermsVersion } from "#db/queries/rates/pair-terms.ts";
import { listNewestTerms, listPricedRates, listVersions, type OwnedTerms, type PricedRate } from "#db/queries/rates/pair-terms-lists.ts";
import { type HistoryEntry, listHistory } from "#db/queries/settlements/settlement-story.ts";
import { isChainHalted } from "#db/queries/transfers/chain-halt.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { isQuotable } from "#domain/quote.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Uses } from "#server/context.ts";

/** Why nobody can quote a pair just now; `up`: they can. */
export type PairState = "up" | "disabled" | "no_rate" | "stale_rate" | "unquotable_rate" | "chain_paused";

export type ListedTerms = {
  terms: OwnedTerms;
  token: TokenInfo;
  /** The newest rate, stale or not. */
  rate: StoredRate | null;
  state: PairState;
  /** Of partners, withdrawn ones left out. */
  overrides: OwnedTerms[];
  /** Mid rates that quotes of the last 24 hours were made from, oldest first. */
  priced: PricedRate[];
};

/**
 * For operators: every pair with its present terms, whether it can be quoted, and the partners with overrides. Without terms of chains and
 * tokens that are no longer configured. Ages of rates are real time.
 */
export async function listAllTerms(ctx: Uses<"db" | "chains" | "clock">): Promise<{ now: Date; pairs: ListedTerms[] }> {
  const { db, chains } = ctx;
  const [newest, rates, priced] = [await listNewestTerms(db), await listRates(db), await listPricedRates(db)];
  const now = ctx.clock.now();
  const paused = new Map<string, boolean>();
  for (const { chain } of chains.list()) paused.set(chain, await isChainHalted(db, chain));
  const pairs = newest.flatMap((terms): ListedTerms[] => {
    const token = chains.find(terms.chain)?.tokens.find(({ currency }) => currency === terms.destinationCurrency);
    if (terms.partnerId !== null || token === undefined || findFiatCurrency(terms.sourceCurrency) === null) return [];
    const isOfPair = (other: { sourceCurrency: string; destinationCurrency: string }) =>
      other.sourceCurrency === terms.sourceCurrency && other.destinationCurrency === terms.destinationCurrency;
    const rate = rates.find(isOfPair) ?? null;
    return [
      {
        terms,
        token,
        rate,
        state: stateOf(terms, rate, paused.get(terms.chain) ?? false, now),
        overrides: newest.filter((other) => other.partnerId !== null && !other.withdrawn && isOfPair(other) && other.chain === terms.chain),
        priced: priced.filter(isOfPair),
      },
    ];
  });
  return { now, pairs };
}

function stateOf(terms: OwnedTerms, rate: StoredRate | null, isPaused: boolean, now: Date): PairState {
  if (!terms.enabled) return "disabled";
  if (rate === null) return "no_rate";
  if (rate.staleAt !== null && rate.staleAt <= now) return "stale_rate";
  if (!isQuotable(rate.midRate, terms.spreadBps)) return "unquotable_rate";
  return isPaused ? "chain_paused" : "up";
}

/** A version with its author and reason; null entry: it came with the installation. */
export type DatedTerms = { terms: TermsVersion; entry: HistoryEntry | null };

/** More versions than this nobody looks through. */
const MOST = 50;

/** The versions of an owner's terms, the newest first. */
export async function readTermsHistory(ctx: Uses<"db">, owner: TermsOwner): Promise<DatedTerms[]> {
  const versions = await listVersions(ctx.db, owner, MOST);
  const entries = new Map(
    (
      await listHistory(
        ctx.db,
        versions.map(({ id }) => id),
      )
    ).map((entry) => [entry.objectId, entry]),
  );
  return versions.map((terms) => ({ terms, entry: entries.get(terms.id) ?? null }));
}

import { findFreshRate } from "#db/queries/rates/exchange-rates.ts";
import { findNewestVersion, type TermsOwner } from "#db/queries/rates/pair-terms.ts";
import { listNewestAmounts, listOverridingPartners } from "#db/queries/rates/pair-terms-lists.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { type Decimal, powerOfTen } from "#domain/decimal.ts";
import { faultsOfTerms, type PairOnChain, refuseBelowMinimum, type Terms } from "#domain/pair-terms.ts";
import { priceSource, quotedRate } from "#domain/quote.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { readToken } from "./add-terms-version.ts";
import { type Pricing, readPricing } from "./read-pricing.ts";
import { rateOrRefusal } from "./read-rates.ts";

export type PreviewTerms = { owner: TermsOwner; terms: Terms };

/** What a quote would be; or in a sentence why there would be none. */
export type SampleQuote = { exchangeRate: Decimal; destinationAmountBase: bigint } | { obstacle: string };
export type TermsPreview = {
  sourceAmountMinor: bigint;
  /** null: no terms are in force that could be compared with. */
  current: SampleQuote | null;
  proposed: SampleQuote;
  tokenDecimals: number;
  /** Of the newest settlements priced under these terms, how many needed an approval, or two, and how many would. */
  settlements: number;
  approvals: { current: number; proposed: number };
  twoApprovals: { current: number; proposed: number };
};

const LOOKED_AT = 100;

/**
 * What new terms would do: one quote under the terms in force and under the new ones, by the very code that prices settlements, and
 * how many of the last hundred settlements would have needed approval. Changes nothing.
 *
 * @throws Refusal `unsupported_chain`, `unsupported_pair`, `validation_failed` with every fault.
 */
export async function previewTerms(ctx: Uses<"db" | "chains">, { owner, terms }: PreviewTerms): Promise<TermsPreview> {
  const token = readToken(ctx, owner);
  const source = findFiatCurrency(owner.sourceCurrency);
  if (source === null) throw new Refusal("unsupported_pair");
  const errors = faultsOfTerms(terms, token.decimals);
  if (errors.length > 0) throw new Refusal("validation_failed", { errors });
  const { db } = ctx;
  const { partnerId } = owner;
  const own = await findNewestVersion(db, owner);
  const current = own?.withdrawn === false ? own : await findNewestVersion(db, { ...owner, partnerId: null });
  const midRate = await findFreshRate(db, owner);
  const whose = partnerId === null ? { exceptPartnerIds: await listOverridingPartners(db, owner) } : { partnerId };
  const amounts = await listNewestAmounts(db, owner, whose, LOOKED_AT);
  const sourceAmountMinor = sampleAmount(terms, source.exponent);
  const quote = (under: Terms) =>
    sampleQuote(() => {
      const exchangeRate = quotedRate(rateOrRefusal(midRate).midRate, under.spreadBps);
      const input = { sourceAmountMinor, sourceExponent: source.exponent, exchangeRate, tokenDecimals: token.decimals };
      return { exchangeRate, ...priceSource({ ...input, platformFeeBase: under.platformFeeBase }) };
    });
  const above = (limit: bigint | null | undefined) =>
    limit === null || limit === undefined ? 0 : amounts.filter((each) => each > limit).length;
  return {
    sourceAmountMinor,
    tokenDecimals: token.decimals,
    settlements: amounts.length,
    current: current && quote(current),
    proposed: quote(terms),
    approvals: { current: above(current?.maximumSourceMinor), proposed: above(terms.maximumSourceMinor) },
    twoApprovals: { current: above(current?.twoApprovalsAboveMinor), proposed: above(terms.twoApprovalsAboveMinor) },
  };
}

/** A round amount that people quote: about a hundredth of the maximum, and never below the minimum. */
function sampleAmount({ minimumSourceMinor, maximumSourceMinor }: Terms, exponent: number): bigint {
  const hundredth = maximumSourceMinor / 100n;
  const pass = powerOfTen(Math.max(exponent, hundredth.toString().length - 1));
  return pass < minimumSourceMinor ? minimumSourceMinor : pass;
}

function sampleQuote(price: () => { exchangeRate: Decimal; destinationAmountBase: bigint }): SampleQuote {
  try {
    return price();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { obstacle: error.particulars.detail ?? error.message };
  }
}

export type PreviewRate = PairOnChain & { partnerId: string; sourceAmountMinor: bigint | null };
export type RatePreview = PairOnChain & {
  /** With the partner's spread in it: the rate that a settlement created at this instant would get. */
  exchangeRate: Decimal;
  platformFeeBase: bigint;
  tokenDecimals: number;
  /** When the mid rate was observed (real time). */
  asOf: Date;
  /** null: without an amount. */
  amounts: { sourceAmountMinor: bigint; destinationAmountBase: bigint } | null;
};

const AMOUNT = { parameter: "source_amount" };
const CURRENCIES = { source: { parameter: "source_currency" }, destination: { parameter: "destination_currency" } };

/**
 * The price that would be quoted now (contract, part 2 "rates/preview"). Indicative: nothing is stored and nothing is promised.
 * An amount above the pair's maximum is priced like any other, although a settlement of it would await an admin.
 *
 * @throws Refusal `unsupported_pair`, `unsupported_chain`, `rate_unavailable`; for the amount `amount_too_small`, `amount_too_large`.
 */
export async function previewRate(ctx: Uses<"db" | "chains">, query: PreviewRate): Promise<RatePreview> {
  const pricing = await readPricing(ctx, query, CURRENCIES);
  if (query.sourceAmountMinor !== null) refuseBelowMinimum(pricing.terms, query.sourceAmountMinor, AMOUNT);
  const rate = rateOrRefusal(pricing.rate);
  const exchangeRate = quotedRate(rate.midRate, pricing.terms.spreadBps);
  return {
    sourceCurrency: query.sourceCurrency,
    destinationCurrency: query.destinationCurrency,
    chain: query.chain,
    exchangeRate,
    platformFeeBase: pricing.terms.platformFeeBase,
    tokenDecimals: pricing.token.decimals,
    asOf: rate.asOf,
    amounts: query.sourceAmountMinor === null ? null : priceAmount(pricing, exchangeRate, query.sourceAmountMinor),
  };
}

function priceAmount({ terms, token }: Pricing, exchangeRate: Decimal, sourceAmountMinor: bigint): RatePreview["amounts"] {
  const source = findFiatCurrency(terms.sourceCurrency);
  if (source === null) throw new Refusal("unsupported_pair");
  const { destinationAmountBase } = priceSource(
    {
      sourceAmountMinor,
      sourceExponent: source.exponent,
      exchangeRate,
      platformFeeBase: terms.platformFeeBase,
      tokenDecimals: token.decimals,
    },
    AMOUNT,
  );
  return { sourceAmountMinor, destinationAmountBase };
}

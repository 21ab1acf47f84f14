import { findFreshRate } from "#db/queries/rates/exchange-rates.ts";
import { findNewestVersion, type TermsOwner } from "#db/queries/rates/pair-terms.ts";
import { listNewestAmounts, listOverridingPartners } from "#db/queries/rates/pair-terms-lists.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { type Decimal, powerOfTen } from "#domain/decimal.ts";
import { faultsOfTerms, type Terms } from "#domain/pair-terms.ts";
import { priceSource, quotedRate } from "#domain/quote.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { readToken } from "./add-terms-version.ts";
import { rateOrRefusal } from "./read-fresh-rate.ts";

export type PreviewTerms = { owner: TermsOwner; terms: Terms };

/** What a quote would be; or in a sentence why there would be none. */
export type SampleQuote = { exchangeRate: Decimal; destinationAmountBase: bigint } | { obstacle: string };
export type TermsPreview = {
  sourceAmountMinor: bigint;
  /** null: no terms are in force that could be compared with. */
  current: SampleQuote | null;
  proposed: SampleQuote;
  tokenDecimals: number;
  /** Of the newest settlements priced under these terms, how many wanted an approval, or two, and how many would. */
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
    ...{ sourceAmountMinor, tokenDecimals: token.decimals, settlements: amounts.length },
    current: current && quote(current),
    proposed: quote(terms),
    approvals: { current: above(current?.maximumSourceMinor), proposed: above(terms.maximumSourceMinor) },
    twoApprovals: { current: above(current?.twoApprovalsAboveMinor), proposed: above(terms.twoApprovalsAboveMinor) },
  };
}

/** A round amount that people quote: about a hundredth of the maximum, and never below the minimum. */
function sampleAmount({ minimumSourceMinor, maximumSourceMinor }: Terms, exponent: number): bigint {
  const hundredth = maximumSourceMinor / 100n;
  const round = powerOfTen(Math.max(exponent, hundredth.toString().length - 1));
  return round < minimumSourceMinor ? minimumSourceMinor : round;
}

function sampleQuote(price: () => { exchangeRate: Decimal; destinationAmountBase: bigint }): SampleQuote {
  try {
    return price();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { obstacle: error.particulars.detail ?? error.message };
  }
}

import { instant, instantOrNull } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import { publishedMidRate, quotedRate } from "#domain/quote.ts";
import type { DatedTerms, ListedTerms } from "#server/services/rates/list-all-terms.ts";
import type { PairListing } from "#server/services/rates/list-pairs.ts";
import type { SampleQuote, TermsPreview } from "#server/services/rates/preview-terms.ts";

/** Rates and terms as people read them: amounts are decimals in units of their currencies, as texts. */

export function renderListedTerms({ terms, token: { decimals }, rate, state, overrides, priced }: ListedTerms) {
  return {
    ...toWire(terms, "sourceCurrency", "destinationCurrency", "chain"),
    terms: renderTerms(terms, decimals),
    rate: rate && renderRate(rate),
    state,
    overrides: overrides.map((each) => ({
      partner: { id: each.partnerId ?? "", name: each.partnerName ?? "" },
      terms: renderTerms(each, decimals),
    })),
    priced: priced.map(({ at, midRate }) => ({ at: instant(at), mid_rate: midRate })),
  };
}

/** The terms of one version. */
export function renderTerms(terms: DatedTerms["terms"], tokenDecimals: number) {
  const { sourceCurrency, twoApprovalsAboveMinor, batchMaximumSourceMinor } = terms;
  return {
    ...toWire(terms, "version", "withdrawn", "enabled", "spreadBps", "quoteLifetimeSeconds", "approvedLifetimeSeconds", "createdAt"),
    platform_fee: tokenAmount(terms.platformFeeBase, tokenDecimals),
    minimum_source_amount: fiatAmount(terms.minimumSourceMinor, sourceCurrency),
    maximum_source_amount: fiatAmount(terms.maximumSourceMinor, sourceCurrency),
    two_approvals_above_amount: twoApprovalsAboveMinor === null ? null : fiatAmount(twoApprovalsAboveMinor, sourceCurrency),
    batch_maximum_source_amount: batchMaximumSourceMinor === null ? null : fiatAmount(batchMaximumSourceMinor, sourceCurrency),
  };
}

/** `as_of` null: a fixed rate, which does not age. Times are real time. */
function renderRate({ midRate, source, asOf, staleAt }: NonNullable<ListedTerms["rate"]>) {
  const published = formatDecimal(publishedMidRate(midRate));
  return { mid_rate: published, source, as_of: staleAt === null ? null : instant(asOf), stale_at: instantOrNull(staleAt) };
}

export function renderTermsPreview(preview: TermsPreview, sourceCurrency: string) {
  const sample = (quote: SampleQuote) =>
    "obstacle" in quote
      ? { exchange_rate: null, destination_amount: null, obstacle: quote.obstacle }
      : {
          exchange_rate: formatDecimal(quote.exchangeRate),
          destination_amount: tokenAmount(quote.destinationAmountBase, preview.tokenDecimals),
          obstacle: null,
        };
  return {
    source_amount: fiatAmount(preview.sourceAmountMinor, sourceCurrency),
    current: preview.current && sample(preview.current),
    proposed: sample(preview.proposed),
    ...toWire(preview, "settlements", "approvals", "twoApprovals"),
  };
}

/** `exchange_rate`: the partner's present quote; null while there is none. */
export function renderPair({ terms, token, rate, quoting }: PairListing) {
  return {
    ...toWire(terms, "sourceCurrency", "destinationCurrency", "chain", "quoteLifetimeSeconds"),
    exchange_rate: rate !== null && quoting === "up" ? formatDecimal(quotedRate(rate.midRate, terms.spreadBps)) : null,
    as_of: rate && instant(rate.asOf),
    platform_fee: tokenAmount(terms.platformFeeBase, token.decimals),
    minimum_source_amount: fiatAmount(terms.minimumSourceMinor, terms.sourceCurrency),
    maximum_source_amount: fiatAmount(terms.maximumSourceMinor, terms.sourceCurrency),
    maximum_source_minor: Number(terms.maximumSourceMinor),
    quoting,
  };
}

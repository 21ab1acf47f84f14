import {
  conversion,
  overrideEnd,
  readTerms,
  renderQuotedRate,
  renderRate,
  renderTerms,
  renderTermsPreview,
  type TermsInput,
  type TermsOwnerInput,
  termsChange,
  termsOwner,
  termsPreview,
} from "#contract/console/rates.ts";
import { fiatAmount, renderHistory } from "#contract/console/settlement.ts";
import { instant } from "#contract/primitives.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { formatDecimal, parseDecimal } from "#domain/decimal.ts";
import { baseToDecimal, decimalToBase } from "#domain/money.ts";
import type { PairOnChain } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import type { TokenInfo } from "#domain/token.ts";
import { operatorProcedure, personProcedure, router } from "#server/console/trpc/init.ts";
import type { Uses } from "#server/context.ts";
import { readToken } from "#server/services/rates/add-terms-version.ts";
import type { ChangedTerms } from "#server/services/rates/change-terms.ts";
import { convertCurrency } from "#server/services/rates/convert-currency.ts";
import { listAllTerms } from "#server/services/rates/list-all-terms.ts";
import { listPairs } from "#server/services/rates/list-pairs.ts";
import { previewTerms } from "#server/services/rates/preview-terms.ts";
import { readTermsHistory } from "#server/services/rates/read-terms-history.ts";
import { setPairTerms } from "#server/services/rates/set-pair-terms.ts";
import { withdrawOverride } from "#server/services/rates/withdraw-override.ts";

const administer = operatorProcedure("administer");

/** What is traded at which price: operators see and set the terms, a partner's people see what they may quote. */
export const ratesRouter = router({
  terms: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { now, pairs } = await listAllTerms(services);
    return {
      /** Real time, as the ages of rates are. */
      now: instant(now),
      data: pairs.map(({ terms, token, rate, state, overrides, priced }) => ({
        source_currency: terms.sourceCurrency,
        destination_currency: terms.destinationCurrency,
        chain: terms.chain,
        terms: renderTerms(terms, token.decimals),
        rate: rate && renderRate(rate),
        state,
        overrides: overrides.map((each) => ({
          partner: { id: each.partnerId ?? "", name: each.partnerName ?? "" },
          terms: renderTerms(each, token.decimals),
        })),
        priced: priced.map(({ at, midRate }) => ({ at: instant(at), mid_rate: midRate })),
      })),
    };
  }),

  history: operatorProcedure()
    .input(termsOwner)
    .query(async ({ ctx: { services }, input }) => {
      const owner = ownerOf(input);
      const { decimals } = readToken(services, owner);
      const versions = await readTermsHistory(services, owner);
      return versions.map(({ terms, entry }) => ({ terms: renderTerms(terms, decimals), entry: entry && renderHistory(entry, true) }));
    }),

  preview: operatorProcedure()
    .input(termsPreview)
    .query(async ({ ctx: { services }, input }) => {
      const owner = ownerOf(input);
      const preview = await previewTerms(services, { owner, terms: termsOf(services, input) });
      return renderTermsPreview(preview, owner.sourceCurrency);
    }),

  set: administer.input(termsChange).mutation(async ({ ctx: { services, by }, input }) => {
    const { expected_version: expectedVersion, reason } = input;
    const owner = ownerOf(input);
    const terms = termsOf(services, input);
    return changed(services, owner, await setPairTerms(services, { by, owner, terms, expectedVersion, reason }));
  }),

  withdraw: administer.input(overrideEnd).mutation(async ({ ctx: { services, by }, input }) => {
    const { partner_id: partnerId, expected_version: expectedVersion, reason } = input;
    const owner = { ...ownerOf(input), partnerId };
    return changed(services, owner, await withdrawOverride(services, { by, owner, expectedVersion, reason }));
  }),

  /** What one's own partner may quote, under the terms in force for it. Mid rates and spreads are the operator's. */
  pairs: personProcedure.query(async ({ ctx: { services, holder } }) => {
    if (holder.partnerId === null) throw new Refusal("not_found");
    const pairs = await listPairs(services, { partnerId: holder.partnerId });
    return pairs.map(({ terms, token, rate, quoting }) => ({
      source_currency: terms.sourceCurrency,
      destination_currency: terms.destinationCurrency,
      chain: terms.chain,
      exchange_rate: rate !== null && quoting === "up" ? renderQuotedRate(rate.midRate, terms.spreadBps) : null,
      as_of: rate && instant(rate.asOf),
      platform_fee: formatDecimal(baseToDecimal(terms.platformFeeBase, token.decimals)),
      minimum_source_amount: fiatAmount(terms.minimumSourceMinor, terms.sourceCurrency),
      maximum_source_amount: fiatAmount(terms.maximumSourceMinor, terms.sourceCurrency),
      maximum_source_minor: Number(terms.maximumSourceMinor),
      quote_lifetime_seconds: terms.quoteLifetimeSeconds,
      quoting,
    }));
  }),

  convert: personProcedure.input(conversion).query(async ({ ctx: { services }, input: { from, to, amount } }) => {
    const converted = await convertCurrency(services, { from, to, amount: asConvertible(from, amount) });
    const fiatTo = findFiatCurrency(to);
    const result = formatDecimal(converted.convertedAmount);
    return {
      ...{ from, to, amount, rate: formatDecimal(converted.rate), as_of: instant(converted.asOf) },
      converted_amount: fiatTo === null ? result : fiatAmount(BigInt(result), to),
    };
  }),
});

/** The new version; null while it awaits a second person. */
function changed(services: Uses<"chains">, owner: PairOnChain, { version, proposalId }: ChangedTerms) {
  const { decimals } = readToken(services, { ...owner, partnerId: null });
  return { terms: version && renderTerms(version, decimals), proposal_id: proposalId };
}

function ownerOf({ source_currency, destination_currency, chain, partner_id }: TermsOwnerInput) {
  return { sourceCurrency: source_currency, destinationCurrency: destination_currency, chain, partnerId: partner_id };
}

function termsOf(services: Uses<"chains">, input: TermsOwnerInput & { terms: TermsInput }) {
  const token: TokenInfo = readToken(services, ownerOf(input));
  const source = findFiatCurrency(input.source_currency);
  if (source === null) throw new Refusal("unsupported_pair");
  return readTerms(input.terms, source.exponent, token.decimals);
}

/** Fiat is converted from minor units, as the API takes it; people write units. */
function asConvertible(from: string, amount: string): string {
  const fiat = findFiatCurrency(from);
  if (fiat === null) return amount;
  const value = parseDecimal(amount);
  const minor = value === null ? null : decimalToBase(value, fiat.exponent);
  if (minor !== null) return minor.toString();
  const message = `must have at most ${fiat.exponent} decimals`;
  throw new Refusal("validation_failed", { errors: [{ pointer: "/amount", code: "invalid_amount", message }] });
}

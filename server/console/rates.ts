import { z } from "zod";
import { instant, plainText } from "#contract/primitives.ts";
import { fromWire } from "#contract/wire.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { fiatAmount, parseAmount } from "#domain/money.ts";
import { type PairOnChain, readTerms, type WrittenTerms } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import { operatorProcedure, personProcedure, router } from "#server/console/trpc/init.ts";
import type { Uses } from "#server/context.ts";
import { readToken } from "#server/services/rates/add-terms-version.ts";
import { type ChangedTerms, setPairTerms, withdrawOverride } from "#server/services/rates/change-terms.ts";
import { listAllTerms, readTermsHistory } from "#server/services/rates/list-all-terms.ts";
import { listPairs } from "#server/services/rates/list-pairs.ts";
import { previewTerms } from "#server/services/rates/preview-terms.ts";
import { convertCurrency } from "#server/services/rates/read-rates.ts";
import { renderListedTerms, renderPair, renderTerms, renderTermsPreview } from "./rates-rows.ts";
import { renderHistory } from "./settlement-rows.ts";
import { currency, decimalText, pairFields, termsInput } from "./terms-input.ts";

/** `partner_id` null: the pair's own terms. */
const ownerFields = { ...pairFields, partner_id: z.uuid().nullable() };
const change = { expected_version: z.int().min(0), reason: plainText(8, 1_000) };

const administer = operatorProcedure("administer");

/** Pairs and prices: operators read and set the terms, a partner's users see what they may quote. */
export const ratesRouter = router({
  terms: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { now, pairs } = await listAllTerms(services);
    /** Real time, as the ages of rates are. */
    return { now: instant(now), data: pairs.map(renderListedTerms) };
  }),

  history: operatorProcedure()
    .input(fromWire(ownerFields))
    .query(async ({ ctx: { services }, input: owner }) => {
      const { decimals } = readToken(services, owner);
      const versions = await readTermsHistory(services, owner);
      return versions.map(({ terms, entry }) => ({ terms: renderTerms(terms, decimals), entry: entry && renderHistory(entry, true) }));
    }),

  preview: operatorProcedure()
    .input(fromWire({ ...ownerFields, terms: termsInput }))
    .query(async ({ ctx: { services }, input: { terms, ...owner } }) => {
      const preview = await previewTerms(services, { owner, terms: termsOf(services, owner, terms) });
      return renderTermsPreview(preview, owner.sourceCurrency);
    }),

  set: administer
    .input(fromWire({ ...ownerFields, terms: termsInput, ...change }))
    .mutation(async ({ ctx: { services, by }, input: { terms: written, expectedVersion, reason, ...owner } }) => {
      const terms = termsOf(services, owner, written);
      return changed(services, owner, await setPairTerms(services, { by, owner, terms, expectedVersion, reason }));
    }),

  withdraw: administer
    .input(fromWire({ ...pairFields, partner_id: z.uuid(), ...change }))
    .mutation(async ({ ctx: { services, by }, input: { expectedVersion, reason, ...owner } }) => {
      return changed(services, owner, await withdrawOverride(services, { by, owner, expectedVersion, reason }));
    }),

  /** What one's own partner may quote, under the terms in force for it. Mid rates and spreads are the operator's. */
  pairs: personProcedure.query(async ({ ctx: { services, holder } }) => {
    if (holder.partnerId === null) throw new Refusal("not_found");
    return (await listPairs(services, { partnerId: holder.partnerId })).map(renderPair);
  }),

  convert: personProcedure
    .input(z.strictObject({ from: currency, to: currency, amount: decimalText }))
    .query(async ({ ctx: { services }, input: { from, to, amount } }) => {
      const converted = await convertCurrency(services, { from, to, amount: asConvertible(from, amount) });
      const result = formatDecimal(converted.convertedAmount);
      return {
        from,
        to,
        amount,
        rate: formatDecimal(converted.rate),
        as_of: instant(converted.asOf),
        converted_amount: findFiatCurrency(to) === null ? result : fiatAmount(BigInt(result), to),
      };
    }),
});

/** The new version; null while it awaits a second person. */
function changed(services: Uses<"chains">, owner: PairOnChain, { version, proposalId }: ChangedTerms) {
  const { decimals } = readToken(services, { ...owner, partnerId: null });
  return { terms: version && renderTerms(version, decimals), proposal_id: proposalId };
}

function termsOf(services: Uses<"chains">, owner: PairOnChain & { partnerId: string | null }, terms: WrittenTerms) {
  const { decimals } = readToken(services, owner);
  const source = findFiatCurrency(owner.sourceCurrency);
  if (source === null) throw new Refusal("unsupported_pair");
  return readTerms(terms, source.exponent, decimals);
}

/** Fiat is converted from minor units, as the API takes it; people write units. */
function asConvertible(from: string, amount: string): string {
  const fiat = findFiatCurrency(from);
  if (fiat === null) return amount;
  const minor = parseAmount(amount, fiat.exponent);
  if (minor !== null) return minor.toString();
  const message = `must have at most ${fiat.exponent} decimals`;
  throw new Refusal("validation_failed", { errors: [{ pointer: "/amount", code: "invalid_amount", message }] });
}

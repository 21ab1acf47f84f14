import type { Quoted } from "#db/queries/settlements/insert-quoted.ts";
import type { QuoteConditions } from "#db/queries/settlements/quote-conditions.ts";
import type { By } from "#domain/access.ts";
import type { Demand } from "#domain/approval-policy.ts";
import type { LimitedPayment } from "#domain/exposure-limit.ts";
import type { PairTerms } from "#domain/pair-terms.ts";
import type { Settlement } from "#domain/settlement.ts";
import { demandOf } from "#server/services/approval-policy/require-approvals.ts";
import { settlementEvent } from "#server/services/events/event-of.ts";
import { judgeQuoteLimits, quoteVerdict } from "#server/services/exposure/judge-quote.ts";

type Priced = { settlement: Settlement; pricing: { terms: PairTerms }; basis: { conditions: QuoteConditions } };

/**
 * What new quotes must wait for: above the pair's maximum, beyond an exposure limit (contract, part 10), or where the approval policy
 * requires it, a quote waits for approval. A batch (`isTogether`) waits as one: each item is judged, and the sum of each pair.
 */
export function judgeQuotes(
  priced: readonly Priced[],
  { by, isTogether, now }: { by: readonly By[]; isTogether: boolean; now: Date },
): Quoted[] {
  const counted = new Map<string, bigint>();
  const sums = isTogether ? sumsOf(priced) : [];
  const judged = priced.map(({ settlement, pricing: { terms }, basis: { conditions } }) => {
    const beyond = judgeQuoteLimits(conditions.limits, paymentOf(settlement, terms), now, counted);
    const sum = sums.find(({ termsId }) => termsId === terms.id);
    const demand = stronger(demandOf(conditions.policy, settlement), sum?.demand ?? null);
    const isAbove = settlement.sourceAmountMinor > terms.maximumSourceMinor || sum?.isAboveMaximum === true;
    return { settlement, demand, verdict: quoteVerdict(settlement, beyond, now), waits: isAbove || beyond.length > 0 || demand !== null };
  });
  const waitsAsOne = isTogether && judged.some(({ waits }) => waits);
  return judged.map(({ settlement: made, waits, verdict, demand }, index) => {
    const settlement: Settlement = { ...made, approvalState: waits || waitsAsOne ? "pending" : null };
    const { status, approvalState, id: objectId, partnerId, batchId } = settlement;
    const change = { status, approval_state: approvalState, ...(batchId === null ? {} : { batch_id: batchId }) };
    const actor = by[index] ?? by[0];
    if (actor === undefined) throw new Error("a quote was asked for by nobody");
    const entry = { by: actor, partnerId, action: "settlement.created", objectId, change, now };
    return { settlement, verdict, demand, entry, event: settlementEvent("settlement.created", settlement, now) };
  });
}

/** What the items of a pair come to together, judged like one settlement. */
function sumsOf(priced: readonly Priced[]): { termsId: string; isAboveMaximum: boolean; demand: Demand | null }[] {
  const byTerms = Map.groupBy(priced, ({ pricing }) => pricing.terms.id);
  return [...byTerms].flatMap(([termsId, items]) => {
    const [first] = items;
    if (first === undefined) return [];
    const { terms } = first.pricing;
    const { policy } = first.basis.conditions;
    const sourceAmountMinor = sum(items, ({ settlement }) => settlement.sourceAmountMinor);
    const destinationAmountBase = sum(items, ({ settlement }) => settlement.quote.destinationAmountBase);
    const hints = [...new Set(items.flatMap(({ basis }) => basis.conditions.policy?.hints ?? []))];
    const together = { ...first.settlement, sourceAmountMinor, quote: { ...first.settlement.quote, destinationAmountBase } };
    const isAboveMaximum = terms.batchMaximumSourceMinor !== null && sourceAmountMinor > terms.batchMaximumSourceMinor;
    return [{ termsId, isAboveMaximum, demand: demandOf(policy && { ...policy, hints }, together) }];
  });
}

function sum(items: readonly Priced[], amountOf: (item: Priced) => bigint): bigint {
  return items.reduce((total, item) => total + amountOf(item), 0n);
}

/** A settlement keeps one demand: the one for more approvals, its own where they ask for as many. */
function stronger(own: Demand | null, ofSum: Demand | null): Demand | null {
  if (own === null || ofSum === null) return own ?? ofSum;
  return ofSum.rule.approvals > own.rule.approvals ? ofSum : own;
}

/** What it would owe, as limits see it. */
function paymentOf({ quote, tokenDecimals, destinationCurrency, walletAddress, ...of }: Settlement, terms: PairTerms): LimitedPayment {
  const { sourceCurrency: currency, sourceAmountMinor: amountMinor } = of;
  const price = { exchangeRate: quote.exchangeRate, rateIs: "token_per_fiat", maximumMinor: terms.maximumSourceMinor } as const;
  const source = { currency, amountMinor, ...price };
  return { amountBase: quote.destinationAmountBase, tokenDecimals, currency: destinationCurrency, recipient: walletAddress, source };
}

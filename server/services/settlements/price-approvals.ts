import { type GivenApproval, listApprovalRules, listApprovalsOf } from "#db/queries/settlements/settlement-approvals.ts";
import { listLargestBalances } from "#db/queries/transfers/wallet-balances.ts";
import { type ApprovalRule, approvalsNeeded } from "#domain/approval.ts";
import { isRefusal, type Refusal, type RefusalCode } from "#domain/refusal.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { type Pricing, readPricing } from "#server/services/rates/read-pricing.ts";
import { priceSettlement } from "./price-settlement.ts";

/** What approving would do at this instant: the price, or why there is none. */
export type ApprovalPreview = {
  settlement: Settlement;
  /** Of the terms that it was quoted under. */
  rule: ApprovalRule;
  needed: 1 | 2;
  /** The yeses so far, the first one first. */
  approvals: GivenApproval[];
  proposed: Quote | null;
  obstacle: { code: RefusalCode; detail: string } | null;
  /** What the fullest wallet that may pay it held when the worker last looked, in base units; null: none is known. */
  largestBalanceBase: bigint | null;
};

/**
 * What approving each of these settlements, which await a decision, would do now. What they share is read once: a queue of a hundred
 * costs hardly more statements than one settlement.
 */
export async function priceApprovals(ctx: Uses<"db" | "chains">, settlements: readonly Settlement[]): Promise<ApprovalPreview[]> {
  if (settlements.length === 0) return [];
  const [rules, given, balances, pricings] = await Promise.all([
    listApprovalRules(ctx.db, [...new Set(settlements.map(({ quote }) => quote.pairTermsId))]),
    listApprovalsOf(
      ctx.db,
      settlements.map(({ id }) => id),
    ),
    listLargestBalances(ctx.db),
    readPricings(ctx, settlements),
  ]);
  return settlements.map((settlement) => {
    const rule = rules.get(settlement.quote.pairTermsId);
    if (rule === undefined) throw new Error(`the terms ${settlement.quote.pairTermsId} of a quote are not kept`);
    const { chain, destinationCurrency } = settlement;
    return {
      settlement,
      rule,
      needed: approvalsNeeded(settlement.sourceAmountMinor, rule),
      approvals: given.filter(({ settlementId }) => settlementId === settlement.id),
      ...propose(settlement, pricings.get(pricingKey(settlement))),
      largestBalanceBase: balances.find((each) => each.chain === chain && each.currency === destinationCurrency)?.amountBase ?? null,
    };
  });
}

type Answer = Pricing | Refusal;

/** Each distinct pricing once; a pair that is closed or has no rate answers with its refusal. */
async function readPricings(ctx: Uses<"db" | "chains">, settlements: readonly Settlement[]): Promise<Map<string, Answer>> {
  const distinct = new Map(settlements.map((settlement) => [pricingKey(settlement), settlement]));
  const answers = [...distinct].map(async ([key, settlement]): Promise<[string, Answer]> => {
    try {
      return [key, await readPricing(ctx, settlement)];
    } catch (error) {
      if (isRefusal(error)) return [key, error];
      throw error;
    }
  });
  return new Map(await Promise.all(answers));
}

function pricingKey({ partnerId, sourceCurrency, destinationCurrency, chain }: Settlement): string {
  return `${partnerId} ${sourceCurrency} ${destinationCurrency} ${chain}`;
}

function propose(settlement: Settlement, pricing: Answer | undefined): Pick<ApprovalPreview, "proposed" | "obstacle"> {
  try {
    if (pricing === undefined || isRefusal(pricing)) throw pricing;
    const validity = { version: settlement.quote.version + 1, lifetimeSeconds: pricing.terms.approvedLifetimeSeconds };
    return { proposed: priceSettlement(pricing, settlement.sourceAmountMinor, validity), obstacle: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { proposed: null, obstacle: { code: error.code, detail: error.message } };
  }
}

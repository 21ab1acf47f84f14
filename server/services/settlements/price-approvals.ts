import { sumWaitingOf, type WaitingOfMerchant } from "#db/queries/settlements/approval-queue.ts";
import { type GivenApproval, listApprovalRules, listApprovalsOf, listDemands } from "#db/queries/settlements/settlement-approvals.ts";
import { listLargestBalances } from "#db/queries/transfers/wallet-balances.ts";
import { type ApprovalRule, approvalsNeeded } from "#domain/approval.ts";
import { askedOf, countsFor, type Demand, type Who } from "#domain/approval-policy.ts";
import { isRefusal, type Refusal, type RefusalCode } from "#domain/refusal.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { type Pricing, readPricing } from "#server/services/rates/read-pricing.ts";
import { priceSettlement } from "./price-settlement.ts";

/** The present result of an approval: the price, or why there is none. */
export type ApprovalPreview = {
  settlement: Settlement;
  /** Of the terms under which it was quoted. */
  rule: ApprovalRule;
  /** What the approval policy required at its quote; null: nothing. */
  demand: Demand | null;
  needed: number;
  who: Who;
  /** The yeses so far, the first one first, and whether each of them counts today. */
  approvals: (GivenApproval & { counts: boolean })[];
  proposed: Quote | null;
  obstacle: { code: RefusalCode; detail: string } | null;
  /** The largest balance of a wallet that may pay it, at the worker's last reading, in base units; null: unknown. */
  largestBalanceBase: bigint | null;
  /** What waits for the same partner, merchant and source currency, this one included; null: nothing else does. */
  together: Pick<WaitingOfMerchant, "count" | "sumMinor"> | null;
};

/**
 * What approving each of these settlements, which await a decision, would do now. What they share is read once: a queue of a hundred
 * costs hardly more statements than one settlement.
 */
export async function priceApprovals(ctx: Uses<"db" | "chains">, settlements: readonly Settlement[]): Promise<ApprovalPreview[]> {
  if (settlements.length === 0) return [];
  const ids = settlements.map(({ id }) => id);
  const [rules, demands, given, balances, waiting, pricings] = await Promise.all([
    listApprovalRules(ctx.db, ids),
    listDemands(ctx.db, ids),
    listApprovalsOf(ctx.db, ids),
    listLargestBalances(ctx.db),
    sumWaitingOf(ctx.db, settlements),
    readPricings(ctx, settlements),
  ]);
  return settlements.map((settlement) => {
    const rule = rules.get(settlement.id);
    if (rule === undefined) throw new Error(`the quote of ${settlement.id} is not kept`);
    const { chain, destinationCurrency } = settlement;
    const demand = demands.get(settlement.id) ?? null;
    const asked = askedOf(approvalsNeeded(settlement.sourceAmountMinor, rule), demand);
    const approvals = given.filter(({ settlementId }) => settlementId === settlement.id);
    return {
      settlement,
      rule,
      demand,
      ...asked,
      approvals: approvals.map((approval) => ({ ...approval, counts: countsFor(asked.who, approval.elector) })),
      ...propose(settlement, pricings.get(pricingKey(settlement))),
      largestBalanceBase: balances.find((each) => each.chain === chain && each.currency === destinationCurrency)?.amountBase ?? null,
      together: waiting.find((each) => each.count > 1 && isOfMerchant(settlement, each)) ?? null,
    };
  });
}

function isOfMerchant(settlement: Settlement, { partnerId, externalMerchantId, sourceCurrency }: WaitingOfMerchant): boolean {
  return (
    settlement.partnerId === partnerId &&
    settlement.externalMerchantId === externalMerchantId &&
    settlement.sourceCurrency === sourceCurrency
  );
}

type Answer = Pricing | Refusal;

/** Computes each distinct pricing once. A pair that is closed or has no rate gets its refusal. */
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

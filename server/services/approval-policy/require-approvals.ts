import type { QuoteConditions } from "#db/queries/settlements/quote-conditions.ts";
import { type Demand, ruleFor } from "#domain/approval-policy.ts";
import type { Settlement } from "#domain/settlement.ts";

/**
 * What the present approval policy asks for a new settlement, stored with it: a later policy does not affect waiting settlements. Null:
 * nothing beyond the terms.
 */
export function demandOf(policy: QuoteConditions["policy"], { quote, ...settlement }: Settlement): Demand | null {
  if (policy === null) return null;
  const { id: policyId, version, rules, hints } = policy;
  const rule = ruleFor(rules, { ...settlement, destinationAmountBase: quote.destinationAmountBase, hints });
  return rule && { policyId, version, rule, hints };
}

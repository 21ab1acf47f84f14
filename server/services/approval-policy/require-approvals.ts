import type { QuoteConditions } from "#db/queries/settlements/quote-conditions.ts";
import { type Demand, ruleFor } from "#domain/approval-policy.ts";
import type { Settlement } from "#domain/settlement.ts";

/** What the approval policy in force asks of a settlement as it is quoted, kept with it: a later policy changes nothing for what already waits; null: nothing, which leaves what the terms ask. */
export function demandOf(policy: QuoteConditions["policy"], { quote, ...settlement }: Settlement): Demand | null {
  if (policy === null) return null;
  const { id: policyId, version, rules, hints } = policy;
  const rule = ruleFor(rules, { ...settlement, destinationAmountBase: quote.destinationAmountBase, hints });
  return rule && { policyId, version, rule, hints };
}

import type { QuoteBasis } from "#db/queries/settlements/quote-basis.ts";
import { coversPayment } from "#domain/liquidity.ts";
import { findExceeded, type OpenLimit } from "#domain/open-quotes.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";

type Priced = { settlement: Settlement; basis: Pick<QuoteBasis, "funds" | "open"> };

/**
 * Nothing is quoted that the treasury, minus its promises, cannot pay. A quote reserves nothing: a confirmation that can no longer be paid
 * is accepted, and waits. What is promised at a rate and not paid is limited too: the rate may move against all of it at once.
 *
 * @throws Refusal `liquidity_unavailable`, of all that is quoted together
 */
export function refuseBeyondTreasury(priced: readonly Priced[]): void {
  refuseBeyondFunds(priced);
  refuseBeyondOpen(priced);
}

/** One wallet makes a payment, and what is free is free only once. */
function refuseBeyondFunds(priced: readonly Priced[]): void {
  const of = ({ settlement: { chain, destinationCurrency } }: Priced) => `${chain} ${destinationCurrency}`;
  for (const same of Map.groupBy(priced, of).values()) {
    let sum = 0n;
    for (const { settlement, basis } of same) {
      const amount = settlement.quote.destinationAmountBase;
      sum += amount;
      const isCovered = coversPayment(basis.funds, amount) && (basis.funds === null || basis.funds.freeBase >= sum);
      if (!isCovered) throw unavailable("So much cannot be paid on this chain just now.");
    }
  }
}

function refuseBeyondOpen(priced: readonly Priced[]): void {
  const added = new Map<string, { limit: OpenLimit; currency: string; amountMinor: bigint }>();
  for (const { settlement, basis } of priced) {
    for (const limit of basis.open) {
      const before = added.get(limit.id)?.amountMinor ?? 0n;
      added.set(limit.id, { limit, currency: settlement.sourceCurrency, amountMinor: before + settlement.sourceAmountMinor });
    }
  }
  for (const { limit, ...amount } of added.values()) {
    if (findExceeded([limit], amount) !== null) throw unavailable("No more of this pair is quoted just now.");
  }
}

function unavailable(detail: string): Refusal {
  return new Refusal("liquidity_unavailable", { detail, retryAfterSeconds: 60 });
}

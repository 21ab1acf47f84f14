/** What a fiat provider says that it holds for us, next to what our books allow. Amounts in minor units. */
export type ProviderBalance = {
  currency: string;
  /** Business time: when it was last asked, and when it last answered; null: never. */
  askedAt: Date;
  answeredAt: Date | null;
  balanceMinor: bigint | null;
  /** How far its answer is from the books: below zero, money is missing there; zero: they agree; null: it has never answered. */
  differenceMinor: bigint | null;
  /** Since when it differs, by whatever amount. */
  differsSince: Date | null;
  /** Why its last answer counts for nothing; null: it counts. */
  problem: string | null;
};

/** What the books say of a currency at one moment. */
export type BookedPool = {
  currency: string;
  totalMinor: bigint;
  /** Payouts that the provider has, and has not reported: it may have paid them. */
  payingOutMinor: bigint;
  /** Collections that it has, or was paid too late: it may hold them. */
  collectingMinor: bigint;
};

/**
 * How far a balance is outside of what the books allow, which were read before and after it was asked: the provider may be ahead of us by
 * what it has not reported yet, and orders may end meanwhile.
 */
export function balanceDifference(balanceMinor: bigint, before: BookedPool, after: BookedPool): bigint {
  const lows = [before, after].map(({ totalMinor, payingOutMinor }) => totalMinor - payingOutMinor);
  const highs = [before, after].map(({ totalMinor, collectingMinor }) => totalMinor + collectingMinor);
  const low = lows.reduce((one, other) => (one < other ? one : other));
  const high = highs.reduce((one, other) => (one > other ? one : other));
  if (balanceMinor < low) return balanceMinor - low;
  return balanceMinor > high ? balanceMinor - high : 0n;
}

/** The sum of what all providers hold, by currency. @throws RangeError for a currency that one of them names twice */
export function sumBalances(answers: readonly (readonly { currency: string; amountMinor: bigint }[])[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const answer of answers) {
    const named = new Set<string>();
    for (const { currency, amountMinor } of answer) {
      if (named.has(currency)) throw new RangeError(`a provider names ${currency} twice`);
      named.add(currency);
      sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
    }
  }
  return sums;
}

const HOUR_MS = 3_600_000;
const HOURS_KEPT = 48;

/** The amounts signed in an hour, by chain and token; a sweep stays within the treasury, and counts for nothing. */
export type SignedAmount = { chain: string; token: string | null; hour: number; amountBase: bigint };

/** What was signed in each of the last two days' hours. */
export class SignedAmounts {
  readonly #hours = new Map<string, SignedAmount>();

  add({ chain, token, at, amountBase }: { chain: string; token: string | null; at: Date; amountBase: bigint }): void {
    const hour = Math.floor(at.getTime() / HOUR_MS);
    const key = `${chain} ${token} ${hour}`;
    const before = this.#hours.get(key);
    this.#hours.set(key, { chain, token, hour, amountBase: (before?.amountBase ?? 0n) + amountBase });
    if (before === undefined) for (const [old, one] of this.#hours) if (one.hour < hour - HOURS_KEPT) this.#hours.delete(old);
  }

  /** The sums since the beginning of that hour, by chain and token. */
  since(time: Date): SignedAmount[] {
    const from = Math.floor(time.getTime() / HOUR_MS);
    const sums = new Map<string, SignedAmount>();
    for (const one of this.#hours.values()) {
      if (one.hour < from) continue;
      const key = `${one.chain} ${one.token}`;
      sums.set(key, { ...one, hour: from, amountBase: (sums.get(key)?.amountBase ?? 0n) + one.amountBase });
    }
    return [...sums.values()];
  }
}

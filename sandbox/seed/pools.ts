import type { Database } from "#db/client.ts";
import { insertPool } from "#db/queries/fiat/fiat-pools.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { powerOfTen } from "#domain/decimal.ts";

/** What the sandbox holds with its simulated provider at the beginning, in major units. */
const SEED_POOLS: Readonly<Record<string, bigint>> = {
  KES: 20_000_000n,
  USD: 150_000n,
  EUR: 140_000n,
  NGN: 220_000_000n,
  PHP: 9_000_000n,
  JPY: 23_000_000n,
  KWD: 46_000n,
};

/** A withdrawal may name more than the pool holds at the beginning, so that an empty pool can be met without emptying one. */
const MAXIMUM_OF_TOTAL = 2n;
const LOW_WATER_PART = 5n;

/** The pools of a sandbox, as full as they begin; one that exists stays as it is. */
export async function seedPools(db: Database, now: Date): Promise<void> {
  for (const [currency, total] of Object.entries(SEED_POOLS)) {
    const fiat = findFiatCurrency(currency);
    if (fiat === null) throw new Error(`${currency} is no currency`);
    const unit = powerOfTen(fiat.exponent);
    const totalMinor = total * unit;
    const limits = { minimumMinor: unit, maximumMinor: totalMinor * MAXIMUM_OF_TOTAL, lowWaterMinor: totalMinor / LOW_WATER_PART };
    await insertPool(db, { currency, totalMinor, ...limits }, now);
  }
}

import { compare, type Decimal, floorToUnits, formatDecimal, parseDecimal } from "#domain/decimal.ts";

/** Exact arithmetic on decimal texts. */

const ZERO: Decimal = { coefficient: 0n, scale: 0 };

export function compareAmounts(left: string, right: string): number {
  return compare(parseDecimal(left) ?? ZERO, parseDecimal(right) ?? ZERO);
}

/** One sum per currency: `[{ currency: "KES", amount: "4500000" }, …]`, in order of appearance. */
export function sumsOf(items: readonly { amount: string; currency: string }[]): { amount: string; currency: string }[] {
  const sums = new Map<string, Decimal>();
  for (const { amount, currency } of items) sums.set(currency, add(sums.get(currency) ?? ZERO, parseDecimal(amount) ?? ZERO));
  return [...sums].map(([currency, sum]) => ({ currency, amount: formatDecimal(sum) }));
}

function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { coefficient: floorToUnits(left, scale) + floorToUnits(right, scale), scale };
}

/** Whether two amounts are the same, with or without trailing zeros. `typed`: as `format.plain` reads it. */
export function isSameAmount(typed: string, amount: string): boolean {
  const value = parseDecimal(typed);
  return value !== null && typed !== "" && compare(value, parseDecimal(amount) ?? ZERO) === 0;
}

import { findFiatCurrency } from "./currency.ts";
import { add, type Decimal, floorToUnits, formatDecimal, normalize, parseDecimal, powerOfTen } from "./decimal.ts";
import { Refusal } from "./refusal.ts";

/** Decimals on the wire, however fine the token is (contract, part 1 "Crypto amounts"). */
export const MAX_DISPLAY_DECIMALS = 8;
/** Digits that every JSON parser keeps, including those with IEEE doubles. */
export const MAX_WRITTEN_DIGITS = 15;

/** How many decimals amounts of a token are written with: at most 8. */
export function displayDecimals(tokenDecimals: number): number {
  return Math.min(tokenDecimals, MAX_DISPLAY_DECIMALS);
}

/** The smallest amount that can be written, in base units: 1 for 6 decimals, 10^10 for 18. */
export function displayUnitBase(tokenDecimals: number): bigint {
  return powerOfTen(tokenDecimals - displayDecimals(tokenDecimals));
}

/** Base units as the decimal they are, exactly: `1500000` of a token with 6 decimals is `1.5`. */
export function baseToDecimal(base: bigint, tokenDecimals: number): Decimal {
  return normalize({ coefficient: base, scale: tokenDecimals });
}

/** A decimal as base units; null when it is negative or finer than the token, so that nothing is ever rounded unseen. */
export function decimalToBase(value: Decimal, tokenDecimals: number): bigint | null {
  const { coefficient, scale } = normalize(value);
  return coefficient < 0n || scale > tokenDecimals ? null : floorToUnits({ coefficient, scale }, tokenDecimals);
}

/** The base units of an amount in wire form (`12.5`, `1e-6`), exactly; null when it is not a valid amount of that token. */
export function parseAmount(text: string, tokenDecimals: number): bigint | null {
  const value = parseDecimal(text);
  return value === null ? null : decimalToBase(value, tokenDecimals);
}

/**
 * Whether a non-negative value can be written within 15 digits. Trailing zeros of a whole number count: above 10^15, a parser with separate
 * integers may not read the exact value.
 */
export function fitsWrittenDigits(value: Decimal): boolean {
  return normalize(value).coefficient < powerOfTen(MAX_WRITTEN_DIGITS);
}

/** Whether an amount can be put on the wire exactly: a multiple of the display unit, not negative, within 15 digits. */
export function isPublishable(base: bigint, tokenDecimals: number): boolean {
  return base >= 0n && base % displayUnitBase(tokenDecimals) === 0n && fitsWrittenDigits(baseToDecimal(base, tokenDecimals));
}

/**
 * The exact decimal to put on the wire for an amount in base units (contract, part 1 "Crypto amounts").
 *
 * @throws Refusal `amount_too_large` when it cannot be written with min(token decimals, 8) decimals and 15 digits.
 */
export function publishableAmount(base: bigint, tokenDecimals: number): Decimal {
  const amount = baseToDecimal(base, tokenDecimals);
  if (isPublishable(base, tokenDecimals)) return amount;
  throw new Refusal("amount_too_large", {
    detail: `The amount cannot be written exactly with ${displayDecimals(tokenDecimals)} decimals and ${MAX_WRITTEN_DIGITS} digits.`,
    cause: `${formatDecimal(amount)} with ${tokenDecimals} decimals`,
  });
}

/** An amount in its smallest units with all of its decimals, as people write money: `1000.00`, `-0.000001`, `5` for the yen. */
export function exactText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  return `${units < 0n ? "-" : ""}${whole}${decimals === 0 ? "" : `.${digits.slice(digits.length - decimals)}`}`;
}

/** Fiat's minor units as people write them: `129500` of a currency with two digits is `1295.00`. */
export function fiatAmount(minor: bigint, currency: string): string {
  return exactText(minor, findFiatCurrency(currency)?.exponent ?? 0);
}

/** A token's base units as an exact decimal without needless zeros: `1500000` of a token with 6 decimals is `1.5`. */
export function tokenAmount(base: bigint, tokenDecimals: number): string {
  return formatDecimal(baseToDecimal(base, tokenDecimals));
}

/** One amount a currency, by its name: a token may have other decimals on another chain. Different currencies are never added up. */
export function sumByCurrency(
  amounts: readonly { currency: string; tokenDecimals: number; base: bigint }[],
): { currency: string; amount: string }[] {
  const sums = new Map<string, Decimal>();
  for (const { currency, base, tokenDecimals } of amounts) {
    sums.set(currency, add(sums.get(currency) ?? { coefficient: 0n, scale: 0 }, baseToDecimal(base, tokenDecimals)));
  }
  return [...sums]
    .map(([currency, sum]) => ({ currency, amount: formatDecimal(sum) }))
    .sort((a, b) => a.currency.localeCompare(b.currency));
}

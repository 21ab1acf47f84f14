/**
 * An exact decimal number: `coefficient / 10^scale`. Rates are decimals; money itself is an integer in minor or base units.
 * No floating point is involved anywhere (contract, part 1).
 */
export type Decimal = { readonly coefficient: bigint; readonly scale: number };

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** The same value with the fewest digits: `1.500` becomes `1.5`, `100` stays `100` at scale 0. */
export function normalize(value: Decimal): Decimal {
  let { coefficient, scale } = value;
  while (scale > 0 && coefficient % 10n === 0n) {
    coefficient /= 10n;
    scale -= 1;
  }
  return { coefficient, scale };
}

/** Parses a plain or exponent-form decimal literal (`-1.5`, `2e-7`) exactly. Null for any other text. */
export function parseDecimal(text: string): Decimal | null {
  const match = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (!match) return null;
  const [, sign = "", whole = "0", fraction = "", exponentText = "0"] = match;
  const exponent = Number(exponentText);
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  const scale = fraction.length - exponent;
  if (Math.abs(scale) > 1_000) return digits === 0n ? { coefficient: 0n, scale: 0 } : null;
  return scale >= 0 ? normalize({ coefficient: digits, scale }) : { coefficient: digits * powerOfTen(-scale), scale: 0 };
}

/** As {@link parseDecimal}, for texts that our own code or database wrote: anything else is a defect and throws. */
export function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === null) throw new TypeError(`not a decimal: ${text}`);
  return value;
}

/** Writes the value as a plain decimal, never with an exponent, without trailing zeros: `0.00000012`, `129.5`, `100`. */
export function formatDecimal(value: Decimal): string {
  const { coefficient, scale } = normalize(value);
  const negative = coefficient < 0n;
  const digits = (negative ? -coefficient : coefficient).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? "" : `.${digits.slice(digits.length - scale)}`;
  return `${negative ? "-" : ""}${whole}${fraction}`;
}

/** How many significant digits the value has: 6 for `1234.56`, 2 for `0.0012`, 1 for `100`, 0 for zero. */
export function significantDigits(value: Decimal): number {
  let { coefficient } = normalize(value);
  if (coefficient === 0n) return 0;
  if (coefficient < 0n) coefficient = -coefficient;
  while (coefficient % 10n === 0n) coefficient /= 10n;
  return coefficient.toString().length;
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return normalize({ coefficient: left.coefficient * right.coefficient, scale: left.scale + right.scale });
}

export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  const units = ({ coefficient, scale: own }: Decimal) => coefficient * powerOfTen(scale - own);
  return normalize({ coefficient: units(left) + units(right), scale });
}

/** Negative, zero or positive as `left` is below, equal to or above `right`. */
export function compare(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = left.coefficient * powerOfTen(scale - left.scale) - right.coefficient * powerOfTen(scale - right.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The integer `floor(value × 10^places)` of a non-negative value: converts a decimal to units, rounded down. */
export function floorToUnits(value: Decimal, places: number): bigint {
  const shift = places - value.scale;
  return shift >= 0 ? value.coefficient * powerOfTen(shift) : value.coefficient / powerOfTen(-shift);
}

/** `left / right` rounded down to `digits` significant digits, for positive operands. */
export function divideDown(left: Decimal, right: Decimal, digits: number): Decimal {
  if (right.coefficient <= 0n || left.coefficient < 0n)
    throw new RangeError("divideDown wants a positive divisor and no negative dividend");
  const lift = digits + right.coefficient.toString().length + right.scale;
  const quotient = (left.coefficient * powerOfTen(lift)) / right.coefficient;
  return roundDownToDigits({ coefficient: quotient, scale: left.scale - right.scale + lift }, digits);
}

/** The value rounded down (towards zero) to at most `digits` significant digits. */
export function roundDownToDigits(value: Decimal, digits: number): Decimal {
  const length = (value.coefficient < 0n ? -value.coefficient : value.coefficient).toString().length;
  const excess = length - digits;
  if (excess <= 0) return normalize(value);
  const kept = value.coefficient / powerOfTen(excess);
  const scale = value.scale - excess;
  return scale >= 0 ? normalize({ coefficient: kept, scale }) : { coefficient: kept * powerOfTen(-scale), scale: 0 };
}

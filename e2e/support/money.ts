/** A partner's pocket calculator: exact decimals as text and bigint, sharing no code with the service. */

type Exact = { units: bigint; decimals: number };

function exact(text: string): Exact {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`${text} is not a plain decimal`);
  const [, whole = "", fraction = ""] = match;
  return { units: BigInt(whole + fraction), decimals: fraction.length };
}

/** The literal of a top-level number in the JSON text. */
export function literalOf(json: string, name: string): string {
  const match = new RegExp(`"${name}":\\s*([^,}\\s]+)`).exec(json);
  if (match?.[1] === undefined) throw new Error(`there is no ${name} in ${json}`);
  return match[1];
}

/** A plain decimal in units of `10^-decimals`; refuses what is finer. */
export function inUnits(text: string, decimals: number): bigint {
  const value = exact(text);
  if (value.decimals > decimals) throw new Error(`${text} has more than ${decimals} decimals`);
  return value.units * 10n ** BigInt(decimals - value.decimals);
}

/** source / 10^exponent × rate − fee, rounded down, in units of `10^-decimals`. */
export function netOf(sourceMinor: number, exponent: number, rate: string, fee: string, decimals: number): bigint {
  const price = exact(rate);
  const scale = exponent + price.decimals;
  const grossFine = BigInt(sourceMinor) * price.units * 10n ** BigInt(decimals);
  return grossFine / 10n ** BigInt(scale) - inUnits(fee, decimals);
}

/** Digits that count, without leading and trailing zeros. */
export function significantDigits(text: string): number {
  const digits = text.replace(".", "").replace(/^0+/, "");
  return (text.includes(".") ? digits.replace(/0+$/, "") : digits).length;
}

/** A JSON number as a plain decimal text. */
export function plain(value: number): string {
  return value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 20 });
}

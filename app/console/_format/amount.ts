/** Amounts stay the decimal texts that they came as: nothing here calculates. */

/** `1234567.5` as `1,234,567.50`: every digit, and at least two decimals. For eyes; what is copied is the text itself. */
export function grouped(text: string, leastDecimals = 2): string {
  const [, sign = "", whole = "", fraction = ""] = /^([+−-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === "") return text;
  const decimals = fraction.padEnd(leastDecimals, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${decimals === "" ? "" : `.${decimals}`}`;
}

const least = new Map<string, number>();

/** With how many decimals an amount of the currency is written at least: the yen's with none. Never fewer than the amount has. */
export function leastDecimalsOf(currency: string): number {
  const known = least.get(currency);
  if (known !== undefined) return known;
  const options = { style: "currency", currency } as const;
  const decimals = /^[A-Z]{3}$/.test(currency) ? new Intl.NumberFormat("en", options).resolvedOptions().minimumFractionDigits : undefined;
  least.set(currency, decimals ?? 2);
  return decimals ?? 2;
}

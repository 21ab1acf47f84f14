/** Amounts stay the decimal texts that they came as: nothing here calculates. */

const least = new Map<string, number>();

/** The least number of decimals for an amount of the currency: none for yen. Never fewer than the amount has. */
export function leastDecimalsOf(currency: string): number {
  const known = least.get(currency);
  if (known !== undefined) return known;
  const options = { style: "currency", currency } as const;
  const decimals = /^[A-Z]{3}$/.test(currency) ? new Intl.NumberFormat("en", options).resolvedOptions().minimumFractionDigits : undefined;
  least.set(currency, decimals ?? 2);
  return decimals ?? 2;
}

/** An amount with more decimals than common tokens is a coin's, whose fourth decimal still matters. */
const DECIMALS_OF_TOKENS = 8;

/** How a language writes an amount: the examples are English, where `group` is a comma and `point` a point. */
export function amountsIn({ group, point }: { group: string; point: string }) {
  /** `1234567.5` as `1,234,567.50`: every digit, and at least two decimals. For display; copying uses the text itself. */
  const grouped = (text: string, leastDecimals = 2): string => {
    const [, sign = "", whole = "", fraction = ""] = /^([+−-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    if (whole === "") return text;
    const decimals = fraction.padEnd(leastDecimals, "0");
    return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${decimals === "" ? "" : `${point}${decimals}`}`;
  };

  /** `1,234.50 KES`: an exact amount with its currency as plain text, where it is never hidden. */
  const written = (amount: string, currency: string): string => `${grouped(amount, leastDecimalsOf(currency))} ${currency}`;

  /** `109.9831` for `109.983171671992004`: two to four decimals, rounded down, with a mark for less than the last one. */
  const atAGlance = (text: string, leastDecimals = 2): string => {
    const [whole = "", fraction = ""] = text.split(".");
    const places = Math.max(leastDecimals, fraction.length > DECIMALS_OF_TOKENS || /^[+−-]?0$/.test(whole) ? 4 : 2);
    if (fraction.length <= places) return grouped(text, leastDecimals);
    const kept = `${whole}.${fraction.slice(0, places)}`;
    const isNothing = !/[1-9]/.test(kept) && /[1-9]/.test(fraction);
    return isNothing ? `< 0${point}${"1".padStart(places, "0")}` : grouped(kept, leastDecimals);
  };

  /**
   * A typed amount as a plain decimal, `1,234.50` as `1234.50`. What is grouped in another way stays as it is, so that it is refused: `12,50`
   * is never read as 1250.
   */
  const plain = (typed: string): string => {
    const text = typed.replace(/\s/g, "");
    if (point === ",") return text.replace(",", ".");
    return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
  };

  return { grouped, written, atAGlance, plain };
}

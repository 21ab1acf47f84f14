/** Counts, shares and durations are measurements, not money, so they are rounded. */

type Units = { day: string; hour: string; minute: string };

/** How a language writes them; the examples are English. */
export function measuresIn(locale: string, units: Units) {
  const numbers = new Map<string, Intl.NumberFormat>();
  const number = (value: number, name: string, options: Intl.NumberFormatOptions): string => {
    const made = numbers.get(name) ?? new Intl.NumberFormat(locale, options);
    numbers.set(name, made);
    return made.format(value);
  };

  /** `12,345`. */
  const count = (value: number): string => number(value, "count", {});

  /** `1,234.5`: at most so many decimals. */
  const rounded = (value: number, decimals: number): string => number(value, `rounded ${decimals}`, { maximumFractionDigits: decimals });

  /** An amount for an axis: `12.5K`, `3.4M`. */
  const compact = (value: number): string => number(value, "compact", { notation: "compact", maximumSignificantDigits: 3 });

  /** `99.4 %`, and never `100 %` where something failed. */
  const percent = (share: number): string => {
    const tenths = share >= 1 ? 1_000 : Math.min(999, Math.round(share * 1_000));
    return `${rounded(tenths / 10, 1)} %`;
  };

  const two = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
    small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

  /** `0.8 s`, `42 s`, `3 m 20 s`, `5 h 12 m`, `2 d 4 h`. */
  const duration = (seconds: number): string => {
    if (seconds < 10) return `${rounded(seconds, 1)} s`;
    const whole = Math.round(seconds);
    if (whole < 60) return `${whole} s`;
    if (whole < 3_600) return two(Math.floor(whole / 60), units.minute, whole % 60, "s");
    if (whole < 86_400) return two(Math.floor(whole / 3_600), units.hour, Math.floor((whole % 3_600) / 60), units.minute);
    return two(Math.floor(whole / 86_400), units.day, Math.floor((whole % 86_400) / 3_600), units.hour);
  };

  return { count, rounded, compact, percent, duration };
}

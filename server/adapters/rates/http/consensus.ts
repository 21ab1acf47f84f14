import { compare, type Decimal, normalize, powerOfTen } from "#domain/decimal.ts";
import { rateHasMoved } from "#domain/quote.ts";

/** What one source says a thing is worth, and as of when. */
export type Opinion = { source: string; value: Decimal; asOf: Date };
export type Consensus = {
  /** The median of those that agree. */
  value: Decimal;
  sources: string[];
  /** Those that were too far from the median of all. */
  outliers: string[];
  /** The oldest instant among the agreeing ones: the value is at least that old. */
  asOf: Date;
};

/**
 * The consensus of several sources: those further than `outlierBps` from the median are dropped, and the rest must be at least `minimum`
 * and a majority. Of two that contradict each other it is unknown which one is wrong: null.
 */
export function agree(opinions: readonly Opinion[], rule: { minimum: number; outlierBps: number }): Consensus | null {
  const middle = median(opinions.map((opinion) => opinion.value));
  if (middle === null) return null;
  const near = opinions.filter((opinion) => !rateHasMoved(middle, opinion.value, rule.outlierBps));
  const value = median(near.map((opinion) => opinion.value));
  if (value === null || near.length < rule.minimum || near.length * 2 <= opinions.length) return null;
  return {
    value,
    sources: near.map((opinion) => opinion.source),
    outliers: opinions.filter((opinion) => !near.includes(opinion)).map((opinion) => opinion.source),
    asOf: new Date(Math.min(...near.map((opinion) => opinion.asOf.getTime()))),
  };
}

/** The middle value, or exactly half way between the two middle ones; null of nothing. */
export function median(values: readonly Decimal[]): Decimal | null {
  const sorted = values.toSorted(compare);
  const below = sorted[Math.floor((sorted.length - 1) / 2)];
  const above = sorted[Math.floor(sorted.length / 2)];
  return below === undefined || above === undefined ? null : halfWay(below, above);
}

function halfWay(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  const sum = left.coefficient * powerOfTen(scale - left.scale) + right.coefficient * powerOfTen(scale - right.scale);
  return normalize({ coefficient: sum * 5n, scale: scale + 1 });
}

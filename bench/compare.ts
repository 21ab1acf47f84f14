/** Compares two runs of the bench by their ratios, which do not depend on the machine's speed. */

/** A row of a table of results whose ratio is the median of rounds: `| create | … | 0.27 (0.08–0.58) of Fastify, create | ≥ 0.65 |`. */
const ROW = /^\| *([^|]+?) *\|.*\| *([\d.]+) \([\d.]+–([\d.]+)\) of [^|]+\|/gmu;

export type Ratio = { name: string; median: number; high: number };

/** The ratios in a text of results: a section, or the whole page. */
export function ratiosIn(text: string): Ratio[] {
  return [...text.matchAll(ROW)].map(([, name = "", median, high]) => ({ name, median: Number(median), high: Number(high) }));
}

/**
 * One sentence for each piece of work whose ratio fell by more than that share: both the median of its rounds and the best of them are
 * below. New ones, and those not measured now, do not count.
 */
export function lossesAgainst(before: string, now: string, share: number): string[] {
  const previous = new Map(ratiosIn(before).map((ratio) => [ratio.name, ratio.median]));
  return ratiosIn(now).flatMap(({ name, median, high }) => {
    const was = previous.get(name);
    if (was === undefined || Math.max(median, high) >= was * (1 - share)) return [];
    return [`${name}: ${median.toFixed(2)} (at best ${high.toFixed(2)}), and ${was.toFixed(2)} before`];
  });
}

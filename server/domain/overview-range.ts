/** The ranges that the overview looks back over. Business time. */
export const OVERVIEW_RANGES = ["1h", "24h", "7d", "30d"] as const;
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** Points such that a range has some tens of them. Every range is a whole number of its spans: the period before has points at the same places. */
const RANGES: Record<OverviewRange, { seconds: number; spanSeconds: number }> = {
  "1h": { seconds: HOUR_SECONDS, spanSeconds: 300 },
  "24h": { seconds: DAY_SECONDS, spanSeconds: HOUR_SECONDS },
  "7d": { seconds: 7 * DAY_SECONDS, spanSeconds: 6 * HOUR_SECONDS },
  "30d": { seconds: 30 * DAY_SECONDS, spanSeconds: DAY_SECONDS },
};

/** `from` inclusive, `to` exclusive. Points begin at the multiples of `spanSeconds` in UTC, so the first and the last may be part of one. */
export type Period = { from: Date; to: Date };
export type OverviewPeriods = { current: Period; before: Period; spanSeconds: number };

/** The range that ends now, and the one of the same length before it. */
export function periodsUntil(now: Date, range: OverviewRange): OverviewPeriods {
  const { seconds, spanSeconds } = RANGES[range];
  const from = new Date(now.getTime() - seconds * 1_000);
  const before = new Date(from.getTime() - seconds * 1_000);
  return { current: { from, to: now }, before: { from: before, to: from }, spanSeconds };
}

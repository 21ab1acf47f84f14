/** The ranges that the overview looks back over. Business time. */
export const OVERVIEW_RANGES = ["1h", "24h", "7d", "30d"] as const;
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

/** Days in UTC, written `YYYY-MM-DD`, both included. */
export type DayRange = { from: string; to: string };
/** A quarter of a year: as much as is counted while somebody waits. */
export const MOST_DAYS = 92;

/** The period: a range that ends now, or certain days. */
export type OverviewLook = OverviewRange | DayRange;

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** Its points, some tens of them. Every range is a whole number of spans: the period before has points at the same positions. */
const RANGES: Record<OverviewRange, { seconds: number; spanSeconds: number }> = {
  "1h": { seconds: HOUR_SECONDS, spanSeconds: 300 },
  "24h": { seconds: DAY_SECONDS, spanSeconds: HOUR_SECONDS },
  "7d": { seconds: 7 * DAY_SECONDS, spanSeconds: 6 * HOUR_SECONDS },
  "30d": { seconds: 30 * DAY_SECONDS, spanSeconds: DAY_SECONDS },
};

/** `from` inclusive, `to` exclusive. Points begin at the multiples of `spanSeconds` in UTC, so the first and the last may be part of one. */
export type Period = { from: Date; to: Date };
export type OverviewPeriods = { current: Period; before: Period; spanSeconds: number };

/**
 * The period, and the one of the same length before it. An unfinished last day counts only up to now, and so does the corresponding day
 * before, so that the two are comparable.
 */
export function periodsUntil(now: Date, look: OverviewLook): OverviewPeriods {
  if (typeof look !== "string") return periodsOfDays(now, look);
  const { seconds, spanSeconds } = RANGES[look];
  const from = new Date(now.getTime() - seconds * 1_000);
  const before = new Date(from.getTime() - seconds * 1_000);
  return { current: { from, to: now }, before: { from: before, to: from }, spanSeconds };
}

/** The number of days. Null: an invalid day, an end before the beginning, or more than `MOST_DAYS`. */
export function daysIn({ from, to }: DayRange): number | null {
  const [first, last] = [midnight(from), midnight(to)];
  if (first === null || last === null) return null;
  const days = (last - first) / (DAY_SECONDS * 1_000) + 1;
  return days >= 1 && days <= MOST_DAYS ? days : null;
}

function periodsOfDays(now: Date, look: DayRange): OverviewPeriods {
  const days = daysIn(look);
  const from = midnight(look.from);
  if (days === null || from === null) throw new RangeError(`${look.from} to ${look.to} is no range of days`);
  const length = days * DAY_SECONDS * 1_000;
  const to = Math.max(from, Math.min(from + length, now.getTime()));
  return {
    current: { from: new Date(from), to: new Date(to) },
    before: { from: new Date(from - length), to: new Date(to - length) },
    spanSeconds: spanOf(days),
  };
}

function spanOf(days: number): number {
  if (days === 1) return HOUR_SECONDS;
  if (days <= 4) return 3 * HOUR_SECONDS;
  return days <= 14 ? 6 * HOUR_SECONDS : DAY_SECONDS;
}

/** The beginning of that day in UTC, in milliseconds; null: there is no such day. */
function midnight(day: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00.000Z`) : null;
  return at === null || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day) ? null : at.getTime();
}

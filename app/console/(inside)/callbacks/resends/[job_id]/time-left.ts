import type { TIME_LEFT } from "./words.ts";

type Translations = typeof TIME_LEFT;

/** The rate is meaningless before this many seconds. */
const FIRST_SECONDS = 2;

/**
 * How long until the last queued callback has been attempted, at the present rate; null while unknown. Rounded according to its precision.
 */
export function timeLeft({ tried, queued, seconds }: { tried: number; queued: number; seconds: number }, t: Translations): string | null {
  if (queued <= 0 || tried <= 0 || seconds < FIRST_SECONDS) return null;
  const left = (queued * seconds) / tried;
  if (left < 10) return t.fewSeconds;
  if (left < 55) return t.seconds(Math.ceil(left / 10));
  if (left < 3_600 - 90) return t.minutes(Math.round(left / 60));
  return t.hours(Math.round(left / 3_600));
}

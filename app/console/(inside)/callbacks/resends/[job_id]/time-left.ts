import type { TIME_LEFT } from "./words.ts";

type Translations = typeof TIME_LEFT;

/** Before so many seconds the rate says nothing. */
const FIRST_SECONDS = 2;

/**
 * How long it takes until the last of what is queued has been tried, if it goes on as so far; null while nobody can tell. Rounded as
 * roughly as it is known.
 */
export function timeLeft({ tried, queued, seconds }: { tried: number; queued: number; seconds: number }, t: Translations): string | null {
  if (queued <= 0 || tried <= 0 || seconds < FIRST_SECONDS) return null;
  const left = (queued * seconds) / tried;
  if (left < 10) return t.fewSecondsLeft;
  if (left < 55) return t.aboutSLeft(Math.ceil(left / 10));
  if (left < 3_600 - 90) return t.aboutMinLeft(Math.round(left / 60));
  return t.aboutHLeft(Math.round(left / 3_600));
}

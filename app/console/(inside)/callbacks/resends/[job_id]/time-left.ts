/** Before so many seconds the rate says nothing. */
const FIRST_SECONDS = 2;

/**
 * How long it takes until the last of what is queued has been tried, if it goes on as so far; null while nobody can tell. Rounded as
 * roughly as it is known.
 */
export function timeLeft({ tried, queued, seconds }: { tried: number; queued: number; seconds: number }): string | null {
  if (queued <= 0 || tried <= 0 || seconds < FIRST_SECONDS) return null;
  const left = (queued * seconds) / tried;
  if (left < 10) return "a few seconds left";
  if (left < 55) return `about ${Math.ceil(left / 10) * 10} s left`;
  if (left < 3_600 - 90) return `about ${Math.round(left / 60)} min left`;
  return `about ${Math.round(left / 3_600)} h left`;
}

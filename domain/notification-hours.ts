export const DIGESTS = ["at_once", "hourly", "daily"] as const;
/** A person's hours for notifications, in the person's own time zone. */
export type Hours = {
  digest: (typeof DIGESTS)[number];
  /** Minutes after midnight; equal or null: no quiet hours. Quiet hours may span midnight. */
  quietFrom: number | null;
  quietTo: number | null;
  /** From the IANA database. */
  zone: string;
};
export const USUAL_HOURS: Hours = { digest: "at_once", quietFrom: null, quietTo: null, zone: "UTC" };

/** A day's digest goes out at nine. */
const DAILY_AT = 9 * 60;
const MINUTE_MS = 60_000;
const DAY = 24 * 60;

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * When to notify something that happens now: at once, or with the next digest, and never in quiet hours. Steps in minutes of the person's
 * local time.
 */
export function describeAt(hours: Hours, now: Date): Date {
  const at = new Date(now);
  if (hours.digest === "hourly") at.setTime(nextWhole(now, 60 * MINUTE_MS));
  if (hours.digest === "daily")
    at.setTime(nextWhole(now, MINUTE_MS) + ((DAILY_AT - minuteOf(nextWhole(now, MINUTE_MS), hours.zone) + DAY) % DAY) * MINUTE_MS);
  const { quietFrom, quietTo } = hours;
  if (quietFrom === null || quietTo === null || quietFrom === quietTo) return at;
  const minute = minuteOf(at.getTime(), hours.zone);
  const isQuiet = quietFrom < quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo;
  if (!isQuiet) return at;
  const whole = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  return new Date(whole + ((quietTo - minute + DAY) % DAY) * MINUTE_MS);
}

/** The minute of the day at that instant, there. */
function minuteOf(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).formatToParts(at);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return read("hour") * 60 + read("minute");
}

function nextWhole(now: Date, ms: number): number {
  return Math.ceil((now.getTime() + 1) / ms) * ms;
}

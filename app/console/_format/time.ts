/** Display of times. `zone`: UTC, or the browser's own. */
export type Zone = "utc" | "local";

const options = (zone: Zone): Intl.DateTimeFormatOptions => (zone === "utc" ? { timeZone: "UTC" } : {});
const cache = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: Zone, kind: "date" | "time" | "seconds"): Intl.DateTimeFormat {
  const key = `${zone} ${kind}`;
  const known = cache.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    ...options(zone),
    ...(kind === "date" ? { year: "numeric", month: "short", day: "2-digit" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    ...(kind === "seconds" ? { second: "2-digit" } : {}),
    ...(kind !== "date" && zone === "local" ? { timeZoneName: "short" } : {}),
  });
  cache.set(key, made);
  return made;
}

/** `21 Nov 2026, 12:04:10 UTC`; in the browser's own zone with its name: `13:04:10 CET`. */
export function absolute(at: string, zone: Zone): string {
  const date = new Date(at);
  return `${formatter(zone, "date").format(date)}, ${formatter(zone, "seconds").format(date)}${zone === "utc" ? " UTC" : ""}`;
}

/** `25 Oct 2026`: a day in UTC. */
export function dayOf(at: string): string {
  return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
}

/** `12:04 UTC`. */
export function hourAndMinute(at: string, zone: Zone): string {
  return `${formatter(zone, "time").format(new Date(at))}${zone === "utc" ? " UTC" : ""}`;
}

const UNITS: readonly [string, number][] = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
];

/** `42 s`, `5 m`, `3 h`, `2 d`: one unit, rounded down. */
export function span(milliseconds: number): string {
  const seconds = Math.floor(Math.abs(milliseconds) / 1_000);
  for (const [unit, size] of UNITS) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  return `${seconds} s`;
}

/** `5 m ago`, `in 3 h`, `just now`. */
export function relative(at: string, now: number): string {
  const distance = new Date(at).getTime() - now;
  if (Math.abs(distance) < 5_000) return "just now";
  return distance > 0 ? `in ${span(distance)}` : `${span(distance)} ago`;
}

/** `04:59`, and with hours `1:04:59`. */
export function clockFace(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / 1_000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor((total % 3_600) / 60), total % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}

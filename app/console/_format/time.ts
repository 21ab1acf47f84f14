/** Display of times. `zone`: UTC, or the browser's own. */
export type Zone = "utc" | "local";

/** How a language says a distance from now; the examples of {@link timesIn} are English. */
type Says = {
  units: { day: string; hour: string; minute: string };
  justNow: string;
  ago(span: string): string;
  ahead(span: string): string;
};

type Kind = "date" | "time" | "seconds" | "day" | "short";
const SHAPES: Record<Kind, Intl.DateTimeFormatOptions> = {
  date: { year: "numeric", month: "short", day: "numeric" },
  day: { year: "numeric", month: "short", day: "numeric" },
  short: { month: "short", day: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  seconds: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
};

/** How a language writes instants, days and spans of time. */
export function timesIn(locale: string, says: Says) {
  const cache = new Map<string, Intl.DateTimeFormat>();
  const write = (at: Date, zone: Zone, kind: Kind, named = false): string => {
    const key = `${zone} ${kind} ${named}`;
    const options = { ...SHAPES[kind], ...(zone === "utc" && { timeZone: "UTC" }), ...(named && { timeZoneName: "short" as const }) };
    const made = cache.get(key) ?? new Intl.DateTimeFormat(locale, options);
    cache.set(key, made);
    return made.format(at);
  };
  const clock = (at: Date, zone: Zone, kind: "time" | "seconds") =>
    `${write(at, zone, kind, zone === "local")}${zone === "utc" ? " UTC" : ""}`;

  /** `21 Nov 2026, 12:04:10 UTC`; in the browser's own zone with its name: `13:04:10 CET`. */
  const absolute = (at: string, zone: Zone): string => `${write(new Date(at), zone, "date")}, ${clock(new Date(at), zone, "seconds")}`;

  /** `25 Oct 2026`: a day in UTC. */
  const dayOf = (at: string): string => write(new Date(at), "utc", "day");

  /** `25 Oct`. */
  const shortDayOf = (at: string, zone: Zone): string => write(new Date(at), zone, "short");

  /** `12:04`. */
  const timeOf = (at: string, zone: Zone): string => write(new Date(at), zone, "time");

  /** `12:04 UTC`. */
  const hourAndMinute = (at: string, zone: Zone): string => clock(new Date(at), zone, "time");

  const units: readonly [string, number][] = [
    [says.units.day, 86_400],
    [says.units.hour, 3_600],
    [says.units.minute, 60],
  ];

  /** `42 s`, `5 m`, `3 h`, `2 d`: one unit, rounded down. */
  const span = (milliseconds: number): string => {
    const seconds = Math.floor(Math.abs(milliseconds) / 1_000);
    for (const [unit, size] of units) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
    return `${seconds} s`;
  };

  /** `5 m ago`, `in 3 h`, `just now`. */
  const relative = (at: string, now: number): string => {
    const distance = new Date(at).getTime() - now;
    if (Math.abs(distance) < 5_000) return says.justNow;
    return distance > 0 ? says.ahead(span(distance)) : says.ago(span(distance));
  };

  return { absolute, dayOf, shortDayOf, timeOf, hourAndMinute, span, relative };
}

/** `04:59`, and with hours `1:04:59`. */
export function clockFace(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / 1_000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor((total % 3_600) / 60), total % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}

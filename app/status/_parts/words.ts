import type { ShownDay, ShownState } from "#contract/service-status.ts";

/** The names of states, times and lengths on the status page. */

export const STATES: Record<ShownState, string> = {
  operational: "Operational",
  degraded: "Degraded",
  down: "Down",
  unknown: "Unknown",
};

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: "UTC" });

/** `29 November 2026`. */
export function dayName(day: string): string {
  return DAY.format(new Date(`${day}T00:00:00Z`));
}

/** `29 November at 12:04:05 UTC`. */
export function timeName(at: Date): string {
  return `${DATE.format(at)} at ${TIME.format(at)} UTC`;
}

/** `2 h 5 min`, `40 s`. */
export function lengthOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** The worst of a day; a day of which nothing is known is never shown as operational. */
export function worstOf({ operationalMs, degradedMs, downMs }: ShownDay): ShownState {
  if (downMs > 0) return "down";
  if (degradedMs > 0) return "degraded";
  return operationalMs > 0 ? "operational" : "unknown";
}

/** What a day's bar says. */
export function dayText(day: ShownDay): string {
  const parts = [
    day.downMs > 0 ? `down for ${lengthOf(day.downMs)}` : "",
    day.degradedMs > 0 ? `degraded for ${lengthOf(day.degradedMs)}` : "",
    day.operationalMs === 0 && day.downMs + day.degradedMs === 0 ? "no data" : "",
    day.operationalMs > 0 && day.unknownMs >= 60_000 ? `no data for ${lengthOf(day.unknownMs)}` : "",
  ].filter((part) => part !== "");
  return `${dayName(day.day)}: ${parts.join(", ") || "no disruption"}`;
}

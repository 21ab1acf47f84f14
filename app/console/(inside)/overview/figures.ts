import { daysIn, type OverviewLook } from "#domain/overview-range.ts";
import type { Zone } from "../../_format/time.ts";
import type { Format } from "../../_words/formats.ts";
import type { WithShared } from "../../_words/shared.ts";
import type { SPANS } from "./plot-words.ts";
import type { FIGURES, RANGES } from "./words.ts";

/** Figures as text. Shares and seconds are measurements, not money, so they are rounded. */

type LookWords = { chosen: string; before: string };

/** The range and the one it is compared with: `1 Nov to 7 Nov`, `the 7 days before`. */
export function lookWords(look: OverviewLook, t: WithShared<typeof RANGES>): LookWords {
  if (typeof look === "string") return t[look];
  const name = (day: string) => t.format.shortDayOf(day, "utc");
  const days = daysIn(look);
  if (days === 1) return { chosen: name(look.from), before: t.dayBefore };
  return { chosen: t.fromTo(name(look.from), name(look.to)), before: t.daysBefore(days ?? 0) };
}

/** `+12 %`; null if there is nothing to compare with. */
export function changeOf(now: number, before: number, t: Pick<WithShared<typeof FIGURES>, "unchanged" | "format">): string | null {
  if (before === 0) return null;
  const change = Math.round(((now - before) / before) * 100);
  return change === 0 ? t.unchanged : `${change > 0 ? "+" : "−"}${t.format.count(Math.abs(change))} %`;
}

/** The label of a point at the axis and in the tooltip. Days are UTC days in every time zone, because they are counted so. */
export function namesOfPoint(at: Date, spanSeconds: number, zone: Zone, { shortDayOf, timeOf }: Format): { tick: string; name: string } {
  const isLong = spanSeconds > 3_600;
  const shownIn = isLong ? "utc" : zone;
  const date = shortDayOf(at.toISOString(), shownIn);
  const time = timeOf(at.toISOString(), shownIn);
  const suffix = shownIn === "utc" ? " UTC" : "";
  if (spanSeconds >= 86_400) return { tick: date, name: `${date} (UTC)` };
  const name = `${date}, ${time}–${timeOf(new Date(at.getTime() + spanSeconds * 1_000).toISOString(), shownIn)}${suffix}`;
  return { tick: isLong ? `${date} ${time}` : time, name };
}

/** The plot's unit of time with its time zone, for the axis. */
export function axisOf(spanSeconds: number, zone: Zone, t: typeof SPANS): string {
  const own = zone === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (spanSeconds >= 86_400) return t.day;
  if (spanSeconds > 3_600) return t.hours(spanSeconds / 3_600);
  return spanSeconds === 3_600 ? t.hour(own) : t.minutes(spanSeconds / 60, own);
}

/** Every point of a period, including those without data. */
export function spanStarts(period: { from: string; to: string }, spanSeconds: number): Date[] {
  const spanMs = spanSeconds * 1_000;
  const starts: Date[] = [];
  for (let at = Math.floor(new Date(period.from).getTime() / spanMs) * spanMs; at < new Date(period.to).getTime(); at += spanMs) {
    starts.push(new Date(at));
  }
  return starts;
}

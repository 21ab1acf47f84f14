import { daysIn, type OverviewLook } from "#domain/overview-range.ts";
import type { Zone } from "../../_format/time.ts";
import type { WithShared } from "../../_words/shared.ts";
import type { SPANS } from "./plot-words.ts";
import type { RANGES } from "./words.ts";

/** Figures as text. Shares and seconds are measurements, not money, so they are rounded. */

type LookWords = { chosen: string; before: string };

/** The range and the one it is compared with: `1 Nov to 7 Nov`, `the 7 days before`. */
export function lookWords(look: OverviewLook, t: WithShared<typeof RANGES>): LookWords {
  if (typeof look === "string") return t[look];
  const name = (day: string) => format(new Date(`${day}T00:00:00.000Z`), "UTC", "date");
  const days = daysIn(look);
  if (days === 1) return { chosen: name(look.from), before: t.dayBefore };
  return { chosen: t.fromTo(name(look.from), name(look.to)), before: t.daysBefore(days ?? 0) };
}

/** `99.4 %`, and never `100 %` where something failed. */
export function percent(share: number): string {
  const tenths = share >= 1 ? 1_000 : Math.min(999, Math.round(share * 1_000));
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} %`;
}

/** `0.8 s`, `42 s`, `3 m 20 s`, `5 h 12 m`, `2 d 4 h`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return two(Math.floor(whole / 60), "m", whole % 60, "s");
  if (whole < 86_400) return two(Math.floor(whole / 3_600), "h", Math.floor((whole % 3_600) / 60), "m");
  return two(Math.floor(whole / 86_400), "d", Math.floor((whole % 86_400) / 3_600), "h");
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

/** An amount for an axis: `12.5k`, `3.4M`. */
export function compact(value: number): string {
  return value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
}

/** `+12 %`; null if there is nothing to compare with. */
export function changeOf(now: number, before: number, asBefore: string): string | null {
  if (before === 0) return null;
  const change = Math.round(((now - before) / before) * 100);
  return change === 0 ? asBefore : `${change > 0 ? "+" : "−"}${Math.abs(change).toLocaleString("en")} %`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The label of a point at the axis and in the tooltip. Days are UTC days in every time zone, because they are counted so. */
export function namesOfPoint(at: Date, spanSeconds: number, zone: Zone): { tick: string; name: string } {
  const isLong = spanSeconds > 3_600;
  const timeZone = isLong || zone === "utc" ? "UTC" : "local";
  const date = format(at, timeZone, "date");
  const time = format(at, timeZone, "time");
  const suffix = timeZone === "UTC" ? " UTC" : "";
  if (spanSeconds >= 86_400) return { tick: date, name: `${date} (UTC)` };
  const name = `${date}, ${time}–${format(new Date(at.getTime() + spanSeconds * 1_000), timeZone, "time")}${suffix}`;
  return { tick: isLong ? `${date} ${time}` : time, name };
}

/** The plot's unit of time with its time zone, for the axis. */
export function axisOf(spanSeconds: number, zone: Zone, t: typeof SPANS): string {
  const own = zone === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (spanSeconds >= 86_400) return t.day;
  if (spanSeconds > 3_600) return t.hours(spanSeconds / 3_600);
  return spanSeconds === 3_600 ? t.hour(own) : t.minutes(spanSeconds / 60, own);
}

function format(at: Date, timeZone: "UTC" | "local", kind: "date" | "time"): string {
  const key = `${timeZone} ${kind}`;
  const shape: Intl.DateTimeFormatOptions =
    kind === "date" ? { day: "numeric", month: "short" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const made = formatters.get(key) ?? new Intl.DateTimeFormat("en-GB", { ...shape, ...(timeZone === "UTC" ? { timeZone } : {}) });
  formatters.set(key, made);
  return made.format(at);
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

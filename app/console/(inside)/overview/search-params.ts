import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { daysIn, OVERVIEW_RANGES, type OverviewLook } from "#domain/overview-range.ts";

/** The overview's state is in the URL. */
export const OVERVIEW_PARAMS = {
  range: parseAsStringLiteral(OVERVIEW_RANGES).withDefault("24h"),
  /** Days in UTC, both inclusive, instead of a range. */
  from: parseAsString,
  to: parseAsString,
  /** Whether to omit the period before. */
  compare: parseAsStringLiteral(["off"] as const),
  /** Whether to show the figures behind the two plots as well. */
  figures: parseAsStringLiteral(["all"] as const),
};
export type OverviewParams = inferParserType<typeof OVERVIEW_PARAMS>;

export const loadOverviewParams = createLoader(OVERVIEW_PARAMS);

/** The range; invalid days are dropped. */
export function lookOf({ range, from, to }: OverviewParams): OverviewLook {
  return from !== null && to !== null && daysIn({ from, to }) !== null ? { from, to } : range;
}

/** For the procedures. */
export function askedOf(look: OverviewLook) {
  return typeof look === "string" ? { range: look } : look;
}

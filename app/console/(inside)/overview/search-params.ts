import { daysIn, OVERVIEW_RANGES, type OverviewLook } from "#domain/overview-range.ts";
import { oneOf, text, type ValuesOf } from "../../_components/lists/address-params.ts";

/**
 * `from`, `to`: days in UTC, both inclusive, instead of a range. `compare`: whether to omit the period before. `figures`: whether to show
 * those behind the two plots as well.
 */
export const OVERVIEW_PARAMS = {
  range: oneOf(OVERVIEW_RANGES, "24h"),
  from: text,
  to: text,
  compare: oneOf(["off"]),
  figures: oneOf(["all"]),
};
export type OverviewParams = ValuesOf<typeof OVERVIEW_PARAMS>;

/** The range; invalid days are dropped. */
export function lookOf({ range, from, to }: OverviewParams): OverviewLook {
  return from !== null && to !== null && daysIn({ from, to }) !== null ? { from, to } : range;
}

/** For the procedures. */
export function askedOf(look: OverviewLook) {
  return typeof look === "string" ? { range: look } : look;
}

import { daysIn, OVERVIEW_RANGES, type OverviewLook } from "#domain/overview-range.ts";

/**
 * The overview's state, which is in the address. Lists read theirs by a library; here it would be an eighth of the page's own script.
 *
 * `from`, `to`: days in UTC, both inclusive, instead of a range. `compare`: whether to omit the period before. `figures`: whether to show
 * those behind the two plots as well.
 */
export type OverviewParams = {
  range: (typeof OVERVIEW_RANGES)[number];
  from: string | null;
  to: string | null;
  compare: "off" | null;
  figures: "all" | null;
};

const RANGE = "24h";

/** Anything unknown counts as not there. */
export function overviewParams(value: (name: string) => string | null): OverviewParams {
  return {
    range: OVERVIEW_RANGES.find((each) => each === value("range")) ?? RANGE,
    from: value("from"),
    to: value("to"),
    compare: value("compare") === "off" ? "off" : null,
    figures: value("figures") === "all" ? "all" : null,
  };
}

/** The address's query with these changes; what is usual is left out. */
export function queryWith(query: string, changes: Partial<OverviewParams>): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === RANGE) params.delete(name);
    else params.set(name, value);
  }
  return params.size === 0 ? "" : `?${params}`;
}

/** The range; invalid days are dropped. */
export function lookOf({ range, from, to }: OverviewParams): OverviewLook {
  return from !== null && to !== null && daysIn({ from, to }) !== null ? { from, to } : range;
}

/** For the procedures. */
export function askedOf(look: OverviewLook) {
  return typeof look === "string" ? { range: look } : look;
}

import { describe, expect, it } from "vitest";
import { daysIn, MOST_DAYS, OVERVIEW_RANGES, periodsUntil } from "./overview-range.ts";

const NOW = new Date("2026-11-21T17:34:34.567Z");
const iso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];

describe("what the overview looks at", () => {
  it.each(OVERVIEW_RANGES)("%s ends now, and the period before ends where it begins", (range) => {
    const { current, before } = periodsUntil(NOW, range);
    expect(current.to).toEqual(NOW);
    expect(before.to).toEqual(current.from);
    expect(current.to.getTime() - current.from.getTime()).toBe(before.to.getTime() - before.from.getTime());
  });

  it("days begin and end at midnight in UTC, and as many days before them are compared", () => {
    const { current, before, spanSeconds } = periodsUntil(NOW, { from: "2026-11-01", to: "2026-11-07" });
    expect(iso(current)).toEqual(["2026-11-01T00:00:00.000Z", "2026-11-08T00:00:00.000Z"]);
    expect(iso(before)).toEqual(["2026-10-25T00:00:00.000Z", "2026-11-01T00:00:00.000Z"]);
    expect(spanSeconds).toBe(21_600);
  });

  it("of a day that is not over, what is past is compared with as much of the day before", () => {
    const { current, before, spanSeconds } = periodsUntil(NOW, { from: "2026-11-21", to: "2026-11-21" });
    expect(iso(current)).toEqual(["2026-11-21T00:00:00.000Z", NOW.toISOString()]);
    expect(iso(before)).toEqual(["2026-11-20T00:00:00.000Z", "2026-11-20T17:34:34.567Z"]);
    expect(spanSeconds).toBe(3_600);
  });

  it("of days to come there is nothing", () => {
    const { current, before } = periodsUntil(NOW, { from: "2026-12-01", to: "2026-12-31" });
    expect(current.from).toEqual(current.to);
    expect(before.from).toEqual(before.to);
  });

  it.each([
    ["2026-11-21", "2026-11-21", 1],
    ["2024-02-28", "2024-03-01", 3],
    ["2026-01-01", "2026-04-02", MOST_DAYS],
    ["2026-01-01", "2026-04-03", null],
    ["2026-11-21", "2026-11-20", null],
    ["2026-02-29", "2026-03-01", null],
    ["2026-11-1", "2026-11-02", null],
    ["", "2026-11-02", null],
  ])("%s to %s: %s days", (from, to, days) => {
    expect(daysIn({ from, to })).toBe(days);
  });

  it("has at most some ninety points, and a whole number of them", () => {
    for (let days = 1; days <= MOST_DAYS; days += 1) {
      const to = new Date(Date.UTC(2026, 0, days)).toISOString().slice(0, 10);
      const { current, spanSeconds } = periodsUntil(NOW, { from: "2026-01-01", to });
      const points = (current.to.getTime() - current.from.getTime()) / 1_000 / spanSeconds;
      expect(Number.isInteger(points)).toBe(true);
      expect(points).toBeLessThanOrEqual(MOST_DAYS);
      expect(points).toBeGreaterThanOrEqual(12);
    }
  });
});

import { describe, expect, it } from "vitest";
import { inTurns, median, type Side, spread, turnsOf } from "./rounds.ts";

describe("the arithmetic", () => {
  it("takes the middle, and between two their mean, whatever the order", () => {
    expect(median([10, 9, 100])).toBe(10);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
    expect(spread([3, 1, 2, 10, 2])).toEqual({ median: 2, low: 1, high: 10 });
  });

  it("lets every other round begin with who was last", () => {
    expect([0, 1, 2].map((round) => turnsOf(["a", "b", "c"], round).join(""))).toEqual(["abc", "cba", "abc"]);
  });
});

/** Given rates, round by round; records what ran, the warm-up in capitals. */
function scripted(name: string, rates: readonly number[], log: string[], more: Partial<Side> = {}): Side {
  const left = [...rates];
  const run = async (measured: boolean) => {
    log.push(measured ? name : name.toUpperCase());
    const perSecond = measured ? (left.shift() ?? Number.NaN) : 1e9;
    return { done: perSecond * 2, seconds: 2, cpuMs: { web: perSecond * 2 * 5 }, p50Ms: 1_000 / perSecond };
  };
  return { name, run, ...more };
}

describe("rounds in turns", () => {
  it("warms up each side once without counting it, and then interleaves them", async () => {
    const log: string[] = [];
    await inTurns([scripted("ours", [1, 1, 1], log), scripted("bare", [1, 1, 1], log)], 3);
    expect(log.join(" ")).toBe("OURS BARE ours bare bare ours ours bare");
  });

  it("compares within each round, and answers the median of the rounds' ratios", async () => {
    const ours = scripted("ours", [50, 10, 90], [], { against: { name: "bare", goal: 0.65 } });
    const [first, second] = await inTurns([ours, scripted("bare", [100, 100, 100 / 0.5], [])], 3);
    // 0.5, 0.1 and 0.45: a ratio of the two medians would say 0.5.
    expect(first?.against).toEqual({ name: "bare", goal: 0.65, ratio: { median: 0.45, low: 0.1, high: 0.5 } });
    expect(first).toMatchObject({ perSecond: { median: 50, low: 10, high: 90 }, p50Ms: 20, cpuMs: { web: 5 } });
    expect(second?.against).toBeNull();
  });

  it("refuses to compare with nobody", async () => {
    await expect(inTurns([scripted("ours", [1], [], { against: { name: "bare" } })], 1)).rejects.toThrow("bare, which does not run");
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, decimal, formatDecimal } from "#domain/decimal.ts";
import { rateHasMoved } from "#domain/quote.ts";
import { agree, median, type Opinion } from "./consensus.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const opinions = (...values: string[]): Opinion[] =>
  values.map((value, index) => ({ source: `s${index}`, value: decimal(value), asOf: NOW }));
const say = (minimum: number, ...values: string[]) => {
  const consensus = agree(opinions(...values), { minimum, outlierBps: 100 });
  return consensus && { value: formatDecimal(consensus.value), sources: consensus.sources, outliers: consensus.outliers };
};

describe("the median", () => {
  test("is exact, also half way between two", () => {
    const middle = (...values: string[]) => formatDecimal(median(values.map(decimal)) ?? decimal("-1"));
    expect(middle("1.1", "9", "0.3")).toBe("1.1");
    expect(middle("0.1", "0.2")).toBe("0.15");
    expect(middle("9007199254740993", "9007199254740994")).toBe("9007199254740993.5");
    expect(median([])).toBeNull();
  });

  test("has as many values above as below, whatever the order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ coefficient: fc.bigInt(1n, 10n ** 20n), scale: fc.nat(10) }), { minLength: 1, maxLength: 9 }),
        (values) => {
          const middle = median(values);
          expect(middle).not.toBeNull();
          if (middle === null) return;
          const above = values.filter((value) => compare(value, middle) > 0).length;
          const below = values.filter((value) => compare(value, middle) < 0).length;
          expect(above).toBeLessThanOrEqual(values.length / 2);
          expect(below).toBeLessThanOrEqual(values.length / 2);
        },
      ),
    );
  });
});

describe("several sources", () => {
  test("agree on the median of those that are near each other, and the one that is far off is named", () => {
    expect(say(2, "1.000", "1.002", "1.5")).toEqual({ value: "1.001", sources: ["s0", "s1"], outliers: ["s2"] });
    expect(say(2, "1.000", "1.002", "0.0000001")).toEqual({ value: "1.001", sources: ["s0", "s1"], outliers: ["s2"] });
  });

  test("of which two contradict each other say nothing", () => {
    expect(say(1, "1.00", "1.05")).toBeNull();
    expect(say(2, "1", "1", "2", "2")).toBeNull();
  });

  test("that are too few, or no majority, say nothing", () => {
    expect(say(1)).toBeNull();
    expect(say(2, "1.00")).toBeNull();
    expect(say(1, "1.00")).toEqual({ value: "1", sources: ["s0"], outliers: [] });
    expect(say(2, "0.5", "0.6", "1.0", "1.001", "2")).toBeNull();
  });

  test("are as old as the oldest that counts", () => {
    const old = new Date(NOW.getTime() - 9_000);
    const [first, second, wrong] = opinions("1", "1", "7");
    if (!first || !second || !wrong) throw new Error("three were made");
    const older = new Date(NOW.getTime() - 99_000);
    expect(agree([first, { ...second, asOf: old }, { ...wrong, asOf: older }], { minimum: 2, outlierBps: 100 })?.asOf).toEqual(old);
  });

  test("never let a minority of liars move the price out of what the honest majority says", () => {
    const honest = fc.array(fc.bigInt(1_000_000n, 1_004_000n), { minLength: 3, maxLength: 6 });
    const lies = fc.array(fc.bigInt(1n, 10n ** 12n), { maxLength: 2 });
    fc.assert(
      fc.property(honest, lies, (truths, liars) => {
        const values = [...truths, ...liars].map((coefficient) => ({ coefficient, scale: 6 }));
        const consensus = agree(
          values.map((value, index) => ({ source: `s${index}`, value, asOf: NOW })),
          { minimum: 2, outlierBps: 100 },
        );
        expect(consensus).not.toBeNull();
        if (consensus === null) return;
        // Within the limit of the truth, since the median of all is the truth's.
        expect(rateHasMoved({ coefficient: 1_002_000n, scale: 6 }, consensus.value, 130)).toBe(false);
      }),
    );
  });
});

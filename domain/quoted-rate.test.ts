import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decimal, decimal, formatDecimal, significantDigits } from "./decimal.ts";
import { isPublishableRate, isQuotable, quotedRate, rateHasMoved } from "./quote.ts";

/** The oracle: plain fractions of big integers, knowing nothing of scales, normal forms or rounding helpers. */
type Fraction = { over: bigint; under: bigint };
const toFraction = (value: Decimal): Fraction => ({
  over: value.coefficient,
  under: BigInt(`1${"0".repeat(value.scale)}`),
});
const times = (left: Fraction, right: Fraction): Fraction => ({
  over: left.over * right.over,
  under: left.under * right.under,
});
const minus = (left: Fraction, right: Fraction): Fraction => ({
  over: left.over * right.under - right.over * left.under,
  under: left.under * right.under,
});
const isAbove = (left: Fraction, right: Fraction): boolean => left.over * right.under > right.over * left.under;

const anyMid = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.integer({ min: 10, max: 24 }))
  .map(([coefficient, scale]): Decimal => ({ coefficient, scale }));

describe("quotedRate", () => {
  it.each([
    ["0.0077423", 0, "0.0077423"],
    ["0.0077423", 50, "0.0077035885"],
    ["1", 1, "0.9999"],
    ["123456.7890123456", 0, "123456.789012"],
    ["0.00064935064935064935", 0, "0.000649350649350"],
    ["2", 9_999, "0.0002"],
  ])("takes the spread off %s (%i basis points): %s", (mid, spread, rate) => {
    expect(formatDecimal(quotedRate(decimal(mid), spread))).toBe(formatDecimal(decimal(rate)));
  });

  it("is never above the exact rate, less than one unit of the twelfth digit below it, and always publishable", () => {
    fc.assert(
      fc.property(anyMid, fc.integer({ min: 0, max: 9_999 }), (mid, spread) => {
        const exact = times(toFraction(mid), {
          over: BigInt(10_000 - spread),
          under: 10_000n,
        });
        const rate = toFraction(quotedRate(mid, spread));
        expect(isAbove(rate, exact)).toBe(false);
        const lost = minus(exact, rate);
        expect(lost.over * rate.under * 10n ** 11n < rate.over * lost.under).toBe(true);
        expect(isPublishableRate(quotedRate(mid, spread)) && isQuotable(mid, spread)).toBe(true);
        expect(significantDigits(quotedRate(mid, spread))).toBeLessThanOrEqual(12);
      }),
    );
  });

  it.each(["0", "-1", "1e15", "1e20", "1e-31", "1e-900"])("refuses to quote from %s, which is no price", (mid) => {
    expect(() => quotedRate(decimal(mid), 0)).toThrow(expect.objectContaining({ code: "rate_unavailable" }));
    expect(isQuotable(decimal(mid), 0)).toBe(false);
  });

  it.each([-1, 10_000, 0.5, Number.NaN])("takes a spread of %s for a defect", (spread) => {
    expect(() => quotedRate(decimal("1"), spread)).toThrow(RangeError);
  });
});

describe("rateHasMoved", () => {
  it.each([
    ["1000", "1000", 0, false],
    ["1000", "1000.000000001", 0, true],
    ["1000", "1001", 10, false],
    ["1000", "1001.0000001", 10, true],
    ["1000", "999", 10, false],
    ["1000", "998.9999999", 10, true],
    ["0.0077423", "0.00775004230", 10, false],
    ["0.0077423", "0.00775004231", 10, true],
    ["7", "14", 10_000, false],
  ])("from %s to %s with a tolerance of %i basis points: %s", (expected, current, tolerance, moved) => {
    expect(rateHasMoved(decimal(expected), decimal(current), tolerance)).toBe(moved);
  });
});

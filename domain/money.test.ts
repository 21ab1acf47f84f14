import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal, formatDecimal } from "./decimal.ts";
import {
  baseToDecimal,
  decimalToBase,
  displayDecimals,
  displayUnitBase,
  exactText,
  isPublishable,
  parseAmount,
  publishableAmount,
} from "./money.ts";

const anyBase = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const anyDecimals = fc.integer({ min: 0, max: 30 });

/** What a reader with floating point makes of a JSON number, written plainly again, without any of our own code. */
function rewrittenByFloat(text: string): string {
  const plain = Number(text).toLocaleString("en-US", {
    useGrouping: false,
    maximumSignificantDigits: 17,
    roundingPriority: "morePrecision",
  });
  return plain;
}

describe("displayDecimals", () => {
  it.each([
    [0, 0],
    [6, 6],
    [8, 8],
    [9, 8],
    [18, 8],
  ])("of a token with %i decimals are %i", (token, shown) => {
    expect(displayDecimals(token)).toBe(shown);
  });

  it("make one written unit of an 18-decimal token 10^10 base units", () => {
    expect([displayUnitBase(6), displayUnitBase(8), displayUnitBase(18)]).toEqual([1n, 1n, 10_000_000_000n]);
  });
});

describe("base units and decimals", () => {
  it("turn into each other and back without loss, whatever the token", () => {
    fc.assert(
      fc.property(anyBase, anyDecimals, (base, decimals) => {
        const value = baseToDecimal(base, decimals);
        expect(decimalToBase(value, decimals)).toBe(base);
        expect(parseAmount(formatDecimal(value), decimals)).toBe(base);
      }),
    );
  });

  it.each([
    ["1.5", 6, 1_500_000n],
    ["1.50", 6, 1_500_000n],
    ["1e2", 6, 100_000_000n],
    ["1e-6", 6, 1n],
    ["0", 6, 0n],
    ["-0", 6, 0n],
    ["12", 0, 12n],
    ["0.000000000000000001", 18, 1n],
    ["9007199254740993", 18, 9_007_199_254_740_993n * 10n ** 18n],
  ])("read %s with %i decimals as %s", (text, decimals, base) => {
    expect(parseAmount(text, decimals)).toBe(base);
  });

  it.each([
    ["0.0000001", 6],
    ["1e-7", 6],
    ["1.5", 0],
    ["-1", 6],
    ["", 6],
    ["1.", 6],
    [".5", 6],
    ["1,5", 6],
    ["0x10", 6],
    ["NaN", 6],
    ["1e99999", 6],
    [" 1", 6],
  ])("refuse %j with %i decimals instead of rounding or guessing", (text, decimals) => {
    expect(parseAmount(text, decimals)).toBeNull();
  });
});

describe("publishableAmount", () => {
  it.each([
    [1_500_000n, 6, "1.5"],
    [999_999_999_999_999n, 6, "999999999.999999"],
    [999_999_999_999_999n, 0, "999999999999999"],
    [123_456_789_012_345_000_000n, 6, "123456789012345"],
    [10_000_000_000n, 18, "0.00000001"],
    [0n, 18, "0"],
  ])("writes %s base units of %i decimals as %s", (base, decimals, text) => {
    expect(formatDecimal(publishableAmount(base, decimals))).toBe(text);
  });

  it.each([
    [1_000_000_000_000_001n, 6, "sixteen digits"],
    [1n, 18, "a crumb finer than 8 decimals"],
    [10_000_000_001n, 18, "one base unit beyond 8 decimals"],
    [10n ** 15n, 0, "a whole number of sixteen digits, even a round one"],
    [-1n, 6, "less than nothing"],
  ])("refuses %s base units of %i decimals: %s", (base, decimals) => {
    expect(() => publishableAmount(base, decimals)).toThrow(expect.objectContaining({ name: "Refusal", code: "amount_too_large" }));
    expect(isPublishable(base, decimals)).toBe(false);
  });

  it("publishes only what a reader with floating point reads as the very value, plainly and with at most 8 decimals", () => {
    const amounts = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 17n }), anyBase);
    fc.assert(
      fc.property(amounts, anyDecimals, (raw, decimals) => {
        const base = raw - (raw % displayUnitBase(decimals));
        if (!isPublishable(base, decimals)) return;
        const text = formatDecimal(publishableAmount(base, decimals));
        expect(text).toMatch(/^\d+(\.\d{1,8})?$/);
        expect(rewrittenByFloat(text)).toBe(text);
        expect(decimalToBase(decimal(text), decimals)).toBe(base);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the exact text of an amount", () => {
  it.each([
    [100_000n, 2, "1000.00"],
    [5n, 0, "5"],
    [-1n, 6, "-0.000001"],
    [0n, 3, "0.000"],
    [2n ** 256n - 1n, 18, "115792089237316195423570985008687907853269984665640564039457.584007913129639935"],
  ])("of %s with %s decimals is %s", (units, decimals, text) => {
    expect(exactText(units, decimals)).toBe(text);
  });
});

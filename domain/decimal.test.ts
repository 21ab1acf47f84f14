import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compare,
  type Decimal,
  decimal,
  divideDown,
  floorToUnits,
  formatDecimal,
  multiply,
  normalize,
  parseDecimal,
  roundDownToDigits,
  significantDigits,
} from "./decimal.ts";

const anyDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 40 }))
  .map(([coefficient, scale]): Decimal => ({ coefficient, scale }));
const anyPositive = anyDecimal.map(
  ({ coefficient, scale }): Decimal => ({ coefficient: coefficient < 0n ? -coefficient : coefficient + 1n, scale }),
);

/** `left` and `right` are the same number: cross-multiplied, without normal forms. */
const isSame = (left: Decimal, right: Decimal) =>
  left.coefficient * 10n ** BigInt(right.scale) === right.coefficient * 10n ** BigInt(left.scale);

describe("parseDecimal", () => {
  it.each([
    ["0", 0n, 0],
    ["-0", 0n, 0],
    ["0.000", 0n, 0],
    ["0e999", 0n, 0],
    ["1.500", 15n, 1],
    ["-1.5", -15n, 1],
    ["100", 100n, 0],
    ["1e2", 100n, 0],
    ["1E+2", 100n, 0],
    ["2e-7", 2n, 7],
    ["12.5e1", 125n, 0],
    ["0.1e-2", 1n, 3],
    ["9007199254740993", 9_007_199_254_740_993n, 0],
    ["0.1234567890123456789", 1_234_567_890_123_456_789n, 19],
  ])("reads %s exactly", (text, coefficient, scale) => {
    expect(parseDecimal(text)).toEqual({ coefficient, scale });
  });

  it.each(["", "-", "+1", ".5", "1.", "1,5", "1 ", " 1", "1\n", "1e", "e5", "0x1f", "1_000", "NaN", "Infinity", "--1", "1.2.3", "\u0661"])(
    "does not read %j",
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );

  it.each(["1e1001", "1e-1001", "1e99999", "1e-9999999999", "9".repeat(401), `0.${"9".repeat(401)}`])(
    "answers null at once to a number that would take ages: %.12s…",
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );

  it("undoes formatDecimal, and is undone by it", () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        const text = formatDecimal(value);
        expect(decimal(text)).toEqual(normalize(value));
        expect(formatDecimal(decimal(text))).toBe(text);
        expect(isSame(decimal(text), value)).toBe(true);
      }),
    );
  });
});

describe("decimal", () => {
  it("throws for what our own code should never have written", () => {
    expect(() => decimal("1,5")).toThrow(TypeError);
  });
});

describe("formatDecimal", () => {
  it.each([
    [{ coefficient: 12n, scale: 8 }, "0.00000012"],
    [{ coefficient: 1_295n, scale: 1 }, "129.5"],
    [{ coefficient: 1_000n, scale: 1 }, "100"],
    [{ coefficient: -5n, scale: 1 }, "-0.5"],
    [{ coefficient: 0n, scale: 6 }, "0"],
    [{ coefficient: 10n ** 25n, scale: 0 }, `1${"0".repeat(25)}`],
  ])("writes %o plainly as %s", (value, text) => {
    expect(formatDecimal(value)).toBe(text);
  });

  it("never uses an exponent, never ends a fraction with a zero, and is valid JSON", () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        expect(formatDecimal(value)).toMatch(/^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9])$/);
      }),
    );
  });
});

describe("significantDigits", () => {
  it.each([
    ["1234.56", 6],
    ["0.0012", 2],
    ["100", 1],
    ["0", 0],
    ["-10.50", 3],
    ["1000000000001", 13],
  ])("of %s are %i", (text, digits) => {
    expect(significantDigits(decimal(text))).toBe(digits);
  });
});

describe("arithmetic", () => {
  it("multiplies exactly", () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (left, right) => {
        const product = { coefficient: left.coefficient * right.coefficient, scale: left.scale + right.scale };
        expect(isSame(multiply(left, right), product)).toBe(true);
      }),
    );
  });

  it("compares by value, whatever the scale", () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, fc.integer({ min: 0, max: 9 }), (left, right, more) => {
        const stretched = { coefficient: left.coefficient * 10n ** BigInt(more), scale: left.scale + more };
        expect(compare(left, stretched)).toBe(0);
        expect(Math.sign(compare(left, right)) + Math.sign(compare(right, left))).toBe(0);
        const larger = { coefficient: stretched.coefficient + 1n, scale: stretched.scale };
        expect(compare(larger, left)).toBeGreaterThan(0);
      }),
    );
  });

  it("turns a decimal into units rounded down: at most the value, and one unit more would be above it", () => {
    fc.assert(
      fc.property(anyPositive, fc.integer({ min: 0, max: 40 }), (value, places) => {
        const units = floorToUnits(value, places);
        expect(compare({ coefficient: units, scale: places }, value)).toBeLessThanOrEqual(0);
        expect(compare({ coefficient: units + 1n, scale: places }, value)).toBeGreaterThan(0);
      }),
    );
  });
});

/** `rounded` keeps the first digits of the exact value and drops the rest: never above it, less than one last digit below. */
function expectRoundedDown(rounded: Decimal, digits: number, compareToExact: (value: Decimal) => number): void {
  expect(significantDigits(rounded)).toBeLessThanOrEqual(digits);
  expect(compareToExact(rounded)).toBeLessThanOrEqual(0);
  const length = rounded.coefficient.toString().length;
  const lift = Math.max(0, digits - length);
  const lastDigit = length > digits ? 10n ** BigInt(length - digits) : 1n;
  expect(
    compareToExact({ coefficient: rounded.coefficient * 10n ** BigInt(lift) + lastDigit, scale: rounded.scale + lift }),
  ).toBeGreaterThan(0);
}

describe("roundDownToDigits", () => {
  it.each([
    ["123456", 3, "123000"],
    ["0.00129999", 3, "0.00129"],
    ["999.999", 3, "999"],
    ["-1.29", 2, "-1.2"],
    ["12", 5, "12"],
    ["0", 3, "0"],
  ])("takes %s to %i digits: %s", (text, digits, expected) => {
    expect(formatDecimal(roundDownToDigits(decimal(text), digits))).toBe(expected);
  });

  it("keeps the first digits and drops the rest", () => {
    fc.assert(
      fc.property(anyPositive, fc.integer({ min: 1, max: 20 }), (value, digits) => {
        expectRoundedDown(roundDownToDigits(value, digits), digits, (other) => compare(other, value));
      }),
    );
  });
});

describe("divideDown", () => {
  it.each([
    ["1", "3", 12, "0.333333333333"],
    ["2", "3", 3, "0.666"],
    ["10", "4", 12, "2.5"],
    ["1", "129.16", 12, "0.00774233508826"],
    ["0", "7", 12, "0"],
    ["1000000", "0.001", 2, "1000000000"],
  ])("of %s by %s to %i digits is %s", (left, right, digits, expected) => {
    expect(formatDecimal(divideDown(decimal(left), decimal(right), digits))).toBe(expected);
  });

  it("is the exact quotient's first digits", () => {
    fc.assert(
      fc.property(anyPositive, anyPositive, fc.integer({ min: 1, max: 20 }), (left, right, digits) => {
        expectRoundedDown(divideDown(left, right, digits), digits, (other) => compare(multiply(other, right), left));
      }),
    );
  });

  it.each([
    ["1", "0"],
    ["1", "-1"],
    ["-1", "1"],
  ])("takes %s by %s for a defect", (left, right) => {
    expect(() => divideDown(decimal(left), decimal(right), 12)).toThrow(RangeError);
  });
});

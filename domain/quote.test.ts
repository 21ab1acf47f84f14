import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decimal, decimal } from "./decimal.ts";
import { isPublishable } from "./money.ts";
import { type PriceInput, priceSource } from "./quote.ts";
import { isRefusal } from "./refusal.ts";

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

function oracle(input: PriceInput): bigint | "amount_too_small" | "amount_too_large" {
  const shown = input.tokenDecimals > 8 ? 8 : input.tokenDecimals;
  const amount: Fraction = {
    over: input.sourceAmountMinor,
    under: BigInt(`1${"0".repeat(input.sourceExponent)}`),
  };
  const fee: Fraction = {
    over: input.platformFeeBase,
    under: BigInt(`1${"0".repeat(input.tokenDecimals)}`),
  };
  const net = minus(times(amount, toFraction(input.exchangeRate)), fee);
  const units = net.over <= 0n ? 0n : (net.over * BigInt(`1${"0".repeat(shown)}`)) / net.under;
  if (units === 0n) return "amount_too_small";
  const written = units.toString().padStart(shown + 1, "0");
  const fraction = shown === 0 ? "" : written.slice(-shown).replace(/0+$/, "");
  const digits = (written.slice(0, written.length - shown) + fraction).replace(/^0+/, "");
  return digits.length > 15 ? "amount_too_large" : units * BigInt(`1${"0".repeat(input.tokenDecimals - shown)}`);
}

const anyRate = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n - 1n }), fc.integer({ min: 0, max: 14 }))
  .map(([coefficient, scale]): Decimal => ({ coefficient, scale }));
const anyAmount = fc.oneof(fc.bigInt({ min: 1n, max: 1_000_000n }), fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }));

const anyPrice: fc.Arbitrary<PriceInput> = fc
  .record({
    sourceAmountMinor: anyAmount,
    sourceExponent: fc.constantFrom(0, 2, 3, 4),
    exchangeRate: anyRate,
    fee: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 9n })),
    tokenDecimals: fc.constantFrom(0, 2, 6, 8, 9, 18, 24),
  })
  .map(({ fee, ...rest }) => ({
    ...rest,
    platformFeeBase: fee * 10n ** BigInt(Math.max(0, rest.tokenDecimals - 8)),
  }));

function outcome(input: PriceInput): ReturnType<typeof oracle> {
  try {
    return priceSource(input).destinationAmountBase;
  } catch (error) {
    if (isRefusal(error) && (error.code === "amount_too_small" || error.code === "amount_too_large")) return error.code;
    throw error;
  }
}

describe("priceSource", () => {
  const kes = {
    sourceAmountMinor: 12_950_000n,
    sourceExponent: 2,
    exchangeRate: decimal("0.0077423"),
    platformFeeBase: 500_000n,
    tokenDecimals: 6,
  };

  it("computes what a pocket calculator does: 129,500.00 KES at 0.0077423 less 0.5", () => {
    expect(priceSource(kes)).toEqual({
      grossBase: 1_002_627_850n,
      platformFeeBase: 500_000n,
      destinationAmountBase: 1_002_127_850n,
    });
  });

  it.each([
    [
      "JPY has no minor digits",
      {
        sourceAmountMinor: 15_000n,
        sourceExponent: 0,
        exchangeRate: decimal("0.0066667"),
      },
      100_000_500n - 500_000n,
    ],
    [
      "KWD has three",
      {
        sourceAmountMinor: 1_000n,
        sourceExponent: 3,
        exchangeRate: decimal("3.25"),
      },
      2_750_000n,
    ],
    [
      "half a base unit is dropped",
      {
        sourceAmountMinor: 100n,
        sourceExponent: 2,
        exchangeRate: decimal("1.2345679"),
      },
      734_567n,
    ],
    [
      "18 decimals are written with 8",
      {
        sourceAmountMinor: 100n,
        exchangeRate: decimal("1.23456789999"),
        tokenDecimals: 18,
        platformFeeBase: 0n,
      },
      1_234_567_890_000_000_000n,
    ],
  ])("%s", (_, change, destination) => {
    const price = priceSource({ ...kes, ...change });
    expect(price.destinationAmountBase).toBe(destination);
  });

  it("agrees with plain fractions on every input, refusals included", () => {
    const seen = { amount_too_small: 0, amount_too_large: 0, priced: 0 };
    fc.assert(
      fc.property(anyPrice, (input) => {
        const expected = oracle(input);
        seen[typeof expected === "bigint" ? "priced" : expected] += 1;
        expect(outcome(input)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(Math.min(seen.amount_too_large, seen.amount_too_small, seen.priced)).toBeGreaterThan(50);
  });

  it("always adds up, delivers something, and never more than the exact value", () => {
    fc.assert(
      fc.property(anyPrice, (input) => {
        if (typeof outcome(input) !== "bigint") return;
        const price = priceSource(input);
        expect(price.grossBase).toBe(price.destinationAmountBase + price.platformFeeBase);
        expect(price.destinationAmountBase > 0n).toBe(true);
        expect(
          isPublishable(price.destinationAmountBase, input.tokenDecimals) && isPublishable(price.platformFeeBase, input.tokenDecimals),
        ).toBe(true);
        const exact = times(
          {
            over: input.sourceAmountMinor,
            under: 10n ** BigInt(input.sourceExponent),
          },
          toFraction(input.exchangeRate),
        );
        expect(
          isAbove(
            {
              over: price.grossBase,
              under: 10n ** BigInt(input.tokenDecimals),
            },
            exact,
          ),
        ).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it("refuses an amount that the fee eats up to the last unit, and takes one unit more", () => {
    const cents = {
      sourceExponent: 2,
      exchangeRate: decimal("1"),
      platformFeeBase: 1_000_000n,
      tokenDecimals: 6,
    };
    expect(() => priceSource({ ...cents, sourceAmountMinor: 100n })).toThrow(expect.objectContaining({ code: "amount_too_small" }));
    expect(priceSource({ ...cents, sourceAmountMinor: 101n }).destinationAmountBase).toBe(10_000n);
  });

  it("refuses the largest source amount where it would take sixteen digits, and takes it where it does not", () => {
    const largest = {
      sourceAmountMinor: 2n ** 53n - 1n,
      sourceExponent: 2,
      platformFeeBase: 0n,
      tokenDecimals: 6,
    };
    expect(() => priceSource({ ...largest, exchangeRate: decimal("1") })).toThrow(expect.objectContaining({ code: "amount_too_large" }));
    expect(() => priceSource({ ...largest, exchangeRate: decimal("0.1") })).toThrow(expect.objectContaining({ code: "amount_too_large" }));
    expect(priceSource({ ...largest, exchangeRate: decimal("0.0000001") }).destinationAmountBase).toBe(9_007_199_254_740n);
  });

  it("points at the body's member, or at the query parameter when asked to", () => {
    const nothing = { ...kes, sourceAmountMinor: 1n };
    const errors = (at?: { parameter: string }) => {
      try {
        return priceSource(nothing, at);
      } catch (error) {
        return isRefusal(error) ? error.particulars.errors : error;
      }
    };
    expect(errors()).toEqual([
      expect.objectContaining({
        pointer: "/source_amount",
        code: "amount_too_small",
      }),
    ]);
    expect(errors({ parameter: "source_amount" })).toEqual([
      expect.objectContaining({
        parameter: "source_amount",
        code: "amount_too_small",
      }),
    ]);
  });

  it.each([
    ["a fee finer than can be written", { tokenDecimals: 18, platformFeeBase: 1n }],
    ["a negative fee", { platformFeeBase: -1n }],
    ["a rate of more than 12 digits", { exchangeRate: decimal("1.234567890123") }],
    ["a rate of zero", { exchangeRate: decimal("0") }],
    ["a negative amount", { sourceAmountMinor: -1n }],
  ])("takes %s for a defect", (_, change) => {
    expect(() => priceSource({ ...kes, ...change })).toThrow(RangeError);
  });
});

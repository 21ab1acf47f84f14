import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertAmount, readConvertible } from "./conversion.ts";
import { compare, type Decimal, decimal, floorToUnits, formatDecimal, multiply, significantDigits } from "./decimal.ts";

const convert = (direction: "fiat_to_crypto" | "crypto_to_fiat", amount: string, midRate: string, exponent = 2) => {
  const { rate, convertedAmount } = convertAmount({
    direction,
    amount: decimal(amount),
    midRate: decimal(midRate),
    exponent,
    cryptoDecimals: 6,
  });
  return [formatDecimal(rate), formatDecimal(convertedAmount)];
};

describe("a conversion", () => {
  it("is amount × rate, rounded down, from minor units into crypto", () => {
    expect(convert("fiat_to_crypto", "100000", "0.00773994")).toEqual(["0.00773994", "7.73994"]);
    expect(convert("fiat_to_crypto", "1", "0.00773994")).toEqual(["0.00773994", "0.000077"]);
    expect(convert("fiat_to_crypto", "150", "0.00645995", 0)).toEqual(["0.00645995", "0.968992"]);
    expect(convert("fiat_to_crypto", "1", "3.25734", 3)).toEqual(["3.25734", "0.003257"]);
  });

  it("is amount × the reciprocal rate, rounded down, from crypto into minor units, and with the reciprocal rounded down too", () => {
    expect(convert("crypto_to_fiat", "7.73994", "0.00773994")).toEqual(["129.199967958", "99999"]);
    expect(convert("crypto_to_fiat", "1", "0.0064", 0)).toEqual(["156.25", "156"]);
    expect(convert("crypto_to_fiat", "1", "4", 3)).toEqual(["0.25", "250"]);
  });

  it("can be checked with the published numbers alone", () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
    const rates = fc.bigInt({ min: 1n, max: 10n ** 14n });
    const directions = fc.constantFrom("fiat_to_crypto" as const, "crypto_to_fiat" as const);
    fc.assert(
      fc.property(directions, amounts, rates, fc.integer({ min: 0, max: 3 }), (direction, units, coefficient, exponent) => {
        const isFromFiat = direction === "fiat_to_crypto";
        const amount = { coefficient: units, scale: isFromFiat ? 0 : 6 };
        const converted = attempt(() =>
          convertAmount({ direction, amount, midRate: { coefficient, scale: 8 }, exponent, cryptoDecimals: 6 }),
        );
        if (converted === null) return;
        const majors: Decimal = isFromFiat ? { coefficient: units, scale: exponent } : amount;
        const whole = floorToUnits(multiply(majors, converted.rate), isFromFiat ? 6 : exponent);
        expect(formatDecimal(converted.convertedAmount)).toBe(formatDecimal({ coefficient: whole, scale: isFromFiat ? 6 : 0 }));
        expect(significantDigits(converted.rate)).toBeLessThanOrEqual(12);
      }),
    );
  });

  it("shows a reciprocal that is never above the true one", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 9n }), (coefficient) => {
        const midRate = { coefficient, scale: 6 };
        const amount = { coefficient: 1n, scale: 0 };
        const { rate } = convertAmount({ direction: "crypto_to_fiat", amount, midRate, exponent: 2, cryptoDecimals: 6 });
        const one = { coefficient: 1n, scale: 0 };
        expect(compare(multiply(rate, midRate), one)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("is refused where JSON could not carry it exactly, or the rate is no price", () => {
    expect(() => convert("fiat_to_crypto", "999999999999999", "1000")).toThrow(expect.objectContaining({ code: "amount_too_large" }));
    expect(() => convert("fiat_to_crypto", "1", "0")).toThrow(expect.objectContaining({ code: "rate_unavailable" }));
  });
});

describe("an amount to convert", () => {
  it("is whole minor units of fiat, or crypto with the decimals that it is written with", () => {
    expect(formatDecimal(readConvertible("100", 0))).toBe("100");
    expect(formatDecimal(readConvertible("100.0", 0))).toBe("100");
    expect(formatDecimal(readConvertible("0.000001", 6))).toBe("0.000001");
    for (const [text, decimals] of [
      ["0", 0],
      ["-1", 0],
      ["1.5", 0],
      ["0.0000001", 6],
      ["", 6],
      ["1,5", 6],
      ["0x10", 0],
      ["NaN", 0],
    ] as const) {
      expect(() => readConvertible(text, decimals)).toThrow(expect.objectContaining({ code: "validation_failed" }));
    }
    expect(() => readConvertible("1000000000000000", 0)).toThrow(expect.objectContaining({ code: "amount_too_large" }));
  });
});

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

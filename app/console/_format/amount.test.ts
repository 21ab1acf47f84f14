import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFiatCurrency } from "#domain/currency.ts";
import { quote } from "#domain/lifecycle-fixture.ts";
import { displayDecimals, fiatAmount } from "#domain/money.ts";
import { type PriceInput, priceSource } from "#domain/quote.ts";
import { isRefusal } from "#domain/refusal.ts";
import { inUnits, netOf } from "#e2e/support/money.ts";
import { renderQuote } from "#server/console/settlement-rows.ts";
import { amountsIn, leastDecimalsOf } from "./amount.ts";

const { grouped, atAGlance } = amountsIn({ group: ",", point: "." });

describe("grouped", () => {
  it("keeps every digit and pads to what the currency is written with", () => {
    expect(grouped("1234567.5")).toBe("1,234,567.50");
    expect(grouped("23000000", leastDecimalsOf("JPY"))).toBe("23,000,000");
    expect(grouped("0.00768189045", leastDecimalsOf("USDT"))).toBe("0.00768189045");
    expect(grouped("−12345", leastDecimalsOf("KES"))).toBe("−12,345.00");
  });

  it("never cuts what an amount has, whatever the currency is usually written with", () => {
    expect(grouped("12.34", leastDecimalsOf("JPY"))).toBe("12.34");
  });
});

describe("a typed amount", () => {
  const english = amountsIn({ group: ",", point: "." });
  const french = amountsIn({ group: "\u202f", point: "," });

  it.each([
    ["1,234,567.50", "1234567.50"],
    [" 1 234.5 ", "1234.5"],
    ["12,50", "12,50"],
    ["1,23,456", "1,23,456"],
    ["1.234,50", "1.234,50"],
  ])("%s in English is the decimal, or stays what no one accepts", (typed, plain) => {
    expect(english.plain(typed)).toBe(plain);
  });

  it.each([
    ["1\u202f234,50", "1234.50"],
    ["1 234,50", "1234.50"],
    ["12,50", "12.50"],
    ["1234.50", "1234.50"],
    ["1,234,567", "1.234,567"],
  ])("%s in French too", (typed, plain) => {
    expect(french.plain(typed)).toBe(plain);
  });
});

it("is written with the marks of the language", () => {
  const french = amountsIn({ group: "\u202f", point: "," });
  expect(french.grouped("1234567.5")).toBe("1\u202f234\u202f567,50");
  expect(french.atAGlance("0.00001")).toBe("< 0,0001");
});

describe("at a glance", () => {
  it.each([
    ["109.983171671992004", 2, "109.9831"],
    ["1234567.891234", 2, "1,234,567.89"],
    ["12345", 2, "12,345.00"],
    ["0.123456", 2, "0.1234"],
    ["0.000000000000000001", 2, "< 0.0001"],
    ["0", 2, "0.00"],
    ["23000000", 0, "23,000,000"],
    ["-5.129", 2, "-5.12"],
  ])("%s has at most four places, and is never shown as more than it is", (text, least, shown) => {
    expect(atAGlance(text, least)).toBe(shown);
  });
});

const anyAsked = fc.record({
  currency: fc.constantFrom("KES", "PHP", "JPY", "KWD"),
  minor: fc.oneof(fc.bigInt({ min: 1n, max: 10_000_000n }), fc.bigInt({ min: 1n, max: 10n ** 13n })),
  rate: fc.record({ coefficient: fc.bigInt({ min: 1n, max: 10n ** 12n - 1n }), scale: fc.integer({ min: 0, max: 18 }) }),
  fee: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n ** 6n })),
  tokenDecimals: fc.constantFrom(2, 6, 8, 18),
});

/** The price, where there is one: an amount may be too small or too large for it. */
function priceOf(input: PriceInput) {
  try {
    return priceSource(input);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

describe("a price as it is displayed", () => {
  it("adds up to the last digit, and is the source at the rate, rounded down as stated: for each of 1,000 prices", () => {
    const digits = (text: string) => text.replaceAll(",", "");
    const taken = fc.property(anyAsked, ({ currency, minor, rate, fee, tokenDecimals }) => {
      const exponent = findFiatCurrency(currency)?.exponent ?? 0;
      const written = displayDecimals(tokenDecimals);
      const platformFeeBase = fee * 10n ** BigInt(tokenDecimals - written);
      const price = priceOf({ sourceAmountMinor: minor, sourceExponent: exponent, exchangeRate: rate, platformFeeBase, tokenDecimals });
      fc.pre(price !== null);
      const quoted = renderQuote({ ...quote, ...price, exchangeRate: rate }, tokenDecimals, false);
      const source = digits(grouped(fiatAmount(minor, currency), leastDecimalsOf(currency)));
      const shown = (text: string) => digits(grouped(text));
      const net = inUnits(shown(quoted.destination_amount), written);
      expect(inUnits(source, exponent)).toBe(minor);
      expect(inUnits(shown(quoted.gross_amount), written) - inUnits(shown(quoted.platform_fee), written)).toBe(net);
      expect(netOf(Number(minor), exponent, quoted.exchange_rate, shown(quoted.platform_fee), written)).toBe(net);
    });
    fc.assert(taken, { numRuns: 1_000 });
  });
});

import { describe, expect, it } from "vitest";
import { grouped, leastDecimalsOf } from "./amount.ts";

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

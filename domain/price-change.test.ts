import { describe, expect, it } from "vitest";
import { decimal } from "./decimal.ts";
import { quote } from "./lifecycle-fixture.ts";
import { priceChange, timesOf } from "./price-change.ts";

const DECIMALS = 6;
const priced = (change: Partial<typeof quote>) => priceChange(quote, { ...quote, ...change }, DECIMALS);

describe("what a new price changes", () => {
  it("states each difference exactly, in the unit of what changed", () => {
    const change = priced({
      exchangeRate: decimal("0.0077"),
      grossBase: 999_999n,
      platformFeeBase: 400_001n,
      destinationAmountBase: 599_998n,
    });
    expect(change.rate.difference).toBe("−0.0000035885");
    expect([change.gross, change.fee, change.net].map(({ difference }) => difference)).toEqual(["−0.000001", "+0.000001", "−0.000002"]);
  });

  it("rounds shares towards zero, to two decimals whatever their size", () => {
    expect(priced({ grossBase: 1_012_999n }).gross).toEqual({ difference: "+0.012999", percent: "+1.29", bps: "+129.99" });
    expect(priced({ grossBase: 987_001n }).gross).toEqual({ difference: "−0.012999", percent: "−1.29", bps: "−129.99" });
    expect(priced({ grossBase: 1_000_000_000n }).gross.percent).toBe("+99900.00");
  });

  it("gives a nothing no sign, also where only its share is one", () => {
    expect(priced({}).rate).toEqual({ difference: "0", percent: "0.00", bps: "0.00" });
    expect(priced({ grossBase: 999_999n }).gross).toEqual({ difference: "−0.000001", percent: "0.00", bps: "−0.01" });
  });

  it("knows no share of nothing", () => {
    const free = { ...quote, platformFeeBase: 0n };
    expect(priceChange(free, quote, DECIMALS).fee).toEqual({ difference: "+0.4", percent: null, bps: null });
  });

  it("says how many times one amount is another in two digits, never more than it is", () => {
    expect([timesOf(1_999n, 1_000n), timesOf(125_999n, 1_000n), timesOf(1n, 3n), timesOf(0n, 7n)]).toEqual(["1.9", "120", "0.33", "0"]);
  });
});

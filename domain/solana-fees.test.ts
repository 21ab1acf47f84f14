import { describe, expect, it } from "vitest";
import { DEFAULT_PRIORITY, transactionFee, unitLimit, unitPrice } from "./solana-fees.ts";

const POLICY = { percentile: 75, floorPrice: 10n, capLamports: 1_000n };

describe("the price of a compute unit", () => {
  it.each<[string, bigint[], bigint]>([
    ["nothing is known", [], 10n],
    ["recent blocks took nothing", [0n, 0n, 0n], 10n],
    ["three quarters took less", [100n, 200n, 300n, 400n], 400n],
    ["the order of the answers does not count", [400n, 100n, 300n, 200n], 400n],
    ["one block took very much", [10n, 20n, 30n, 40n, 50n, 60n, 70n, 1_000_000_000n], 70n],
    ["all took more than the cap", [999_999_999n], 10_000n],
  ])("%s", (_, recent, price) => expect(unitPrice(recent, 100_000, POLICY)).toBe(price));

  it("never makes a payment offer more than the cap", () => {
    for (const units of [1_000, 33_333, 400_000]) {
      const price = unitPrice([10n ** 15n], units, DEFAULT_PRIORITY);
      expect(transactionFee(units, price) - 5_000n).toBeLessThanOrEqual(DEFAULT_PRIORITY.capLamports);
    }
  });
});

describe("the fee", () => {
  it.each<[number, bigint, bigint]>([
    [1_000, 1_000_000n, 6_000n],
    [1_000, 1n, 5_001n],
    [1_000, 0n, 5_000n],
    [30_000, 1_000n, 5_030n],
  ])("of %i units at %s is %s lamports", (units, price, fee) => expect(transactionFee(units, price)).toBe(fee));

  it.each([
    [450, 2_450],
    [28_000, 33_600],
    [1_000_000, 400_000],
  ])("is for a limit above the %i units of the simulation", (used, limit) => expect(unitLimit(used)).toBe(limit));
});

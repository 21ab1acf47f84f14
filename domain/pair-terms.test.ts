import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayUnitBase } from "./money.ts";
import { faultsOfTerms, readTerms, refuseBelowMinimum, type Terms } from "./pair-terms.ts";
import { priceSource } from "./quote.ts";
import { Refusal } from "./refusal.ts";

const GOOD: Terms = {
  enabled: true,
  spreadBps: 50,
  platformFeeBase: 500_000n,
  minimumSourceMinor: 10_000n,
  maximumSourceMinor: 100_000_000n,
  twoApprovalsAboveMinor: null,
  batchMaximumSourceMinor: null,
  quoteLifetimeSeconds: 300,
  approvedLifetimeSeconds: 1_800,
};
const pointers = (terms: Partial<Terms>, decimals = 6) => faultsOfTerms({ ...GOOD, ...terms }, decimals).map((fault) => fault.pointer);

describe("the terms of a pair", () => {
  test("are accepted at every edge that is allowed", () => {
    expect(pointers({})).toEqual([]);
    expect(pointers({ spreadBps: 0, platformFeeBase: 0n, minimumSourceMinor: 1n, maximumSourceMinor: 1n })).toEqual([]);
    expect(
      pointers({ spreadBps: 9_999, maximumSourceMinor: 2n ** 53n - 1n, quoteLifetimeSeconds: 1, approvedLifetimeSeconds: 86_400 }),
    ).toEqual([]);
  });

  test("are refused with each fault at its place", () => {
    for (const spreadBps of [-1, 10_000, 0.5, Number.NaN]) expect(pointers({ spreadBps })).toEqual(["/spread_bps"]);
    expect(pointers({ minimumSourceMinor: 0n })).toEqual(["/minimum_source_amount"]);
    expect(pointers({ minimumSourceMinor: 5n, maximumSourceMinor: 4n })).toEqual(["/maximum_source_amount"]);
    expect(pointers({ maximumSourceMinor: 2n ** 53n })).toEqual(["/maximum_source_amount"]);
    for (const quoteLifetimeSeconds of [0, -5, 1.5, 86_401])
      expect(pointers({ quoteLifetimeSeconds })).toEqual(["/quote_lifetime_seconds"]);
    expect(pointers({ approvedLifetimeSeconds: 0 })).toEqual(["/approved_lifetime_seconds"]);
    expect(pointers({ platformFeeBase: -1n })).toEqual(["/platform_fee"]);
    expect(pointers({ spreadBps: -1, minimumSourceMinor: 0n, platformFeeBase: -1n })).toHaveLength(3);
  });

  test("never allow a fee that a quote could not be made with", () => {
    fc.assert(
      fc.property(fc.bigInt(-5n, 10n ** 40n), fc.integer({ min: 0, max: 36 }), (fee, decimals) => {
        if (pointers({ platformFeeBase: fee }, decimals).length > 0) return;
        expect(fee % displayUnitBase(decimals)).toBe(0n);
        const price = () =>
          priceSource({
            sourceAmountMinor: 2n ** 53n - 1n,
            sourceExponent: 0,
            exchangeRate: { coefficient: 1n, scale: 4 },
            platformFeeBase: fee,
            tokenDecimals: decimals,
          });
        try {
          const { grossBase, destinationAmountBase } = price();
          expect(grossBase - fee).toBe(destinationAmountBase);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
    );
  });

  test("refuse less than the minimum, and take the minimum itself", () => {
    expect(() => refuseBelowMinimum(GOOD, 9_999n)).toThrow(expect.objectContaining({ code: "amount_too_small" }));
    expect(() => refuseBelowMinimum(GOOD, 10_000n)).not.toThrow();
  });

  const written = {
    enabled: true,
    spreadBps: 50,
    quoteLifetimeSeconds: 300,
    approvedLifetimeSeconds: 1_800,
    platformFee: "0.5",
    minimumSourceAmount: "100",
    maximumSourceAmount: "1000000.00",
    twoApprovalsAboveAmount: null,
  };

  test("are read in the smallest units from what people write", () => {
    expect(readTerms(written, 2, 6)).toEqual(GOOD);
    expect(readTerms({ ...written, twoApprovalsAboveAmount: "2000000.01" }, 2, 6).twoApprovalsAboveMinor).toBe(200_000_001n);
  });

  test("are refused with each amount that is finer than its currency, and never rounded", () => {
    const finer = { ...written, platformFee: "0.0000001", minimumSourceAmount: "0.001", twoApprovalsAboveAmount: "0.001" };
    const errors = ["/platform_fee", "/minimum_source_amount", "/two_approvals_above_amount"].map((pointer) => ({
      pointer,
      code: "out_of_range",
      message: expect.stringMatching(/^must have at most [26] decimals$/),
    }));
    expect(() => readTerms(finer, 2, 6)).toThrow(expect.objectContaining({ code: "validation_failed", particulars: { errors } }));
  });
});

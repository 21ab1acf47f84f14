import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal, formatDecimal } from "./decimal.ts";
import { chargeFee, type FiatPool, poolShares, refuseBeyondPool } from "./fiat.ts";
import { type FiatPriceInput, priceTopup, priceWithdrawal, sellingRate } from "./fiat-price.ts";
import { displayUnitBase } from "./money.ts";
import { railSignature, railSignatureMatches } from "./rail-signature.ts";
import { isRefusal } from "./refusal.ts";

const codeOf = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (error) {
    return isRefusal(error) ? error.code : error;
  }
};

describe("the partner's fee", () => {
  it.each([
    [100_000n, "1.5", 1_500n],
    [100_000n, "0", 0n],
    [100_000n, "100", 100_000n],
    [100_000n, "1.5000", 1_500n],
    [99n, "1.5", 1n],
    [1n, "99.9999", 0n],
    [1_000_000n, "0.0001", 1n],
  ])("of %s at %s %% is %s, rounded down", (amount, percentage, fee) => {
    expect(chargeFee(amount, decimal(percentage))).toBe(fee);
  });

  it.each(["101", "100.0001", "-1"])("refuses %j as a percentage", (percentage) => {
    expect(() => chargeFee(1n, decimal(percentage))).toThrow(RangeError);
  });
});

const input: FiatPriceInput = {
  amountMinor: 100_000n,
  exponent: 2,
  midRate: decimal("0.0077"),
  spreadBps: 0,
  chargeFeePercentage: decimal("1.5"),
  tokenDecimals: 6,
};

describe("the price of a top-up", () => {
  it("is the amount without the fee at the rate a settlement is quoted, rounded down", () => {
    const price = priceTopup({ ...input, spreadBps: 75 });
    expect([price.feeMinor, formatDecimal(price.exchangeRate), price.destinationAmountBase]).toEqual([1_500n, "0.00764225", 7_527_616n]);
  });

  it("is refused where nothing would be delivered", () => {
    expect(codeOf(() => priceTopup({ ...input, chargeFeePercentage: decimal("100") }))).toBe("amount_too_small");
    expect(() => priceTopup({ ...input, chargeFeePercentage: decimal("100") })).toThrow(
      "The charge fee of 100 % leaves nothing to deliver.",
    );
    expect(() => priceTopup({ ...input, amountMinor: 100n, midRate: decimal("0.0000001") })).toThrow(/less the charge fee/);
    expect(() => priceTopup({ ...input, amountMinor: 1n, midRate: decimal("0.00001") })).toThrow(/^The amount comes to nothing/);
  });
});

describe("the price of a withdrawal", () => {
  it("is amount and fee at the inverse rate with the spread taken off, rounded up", () => {
    const price = priceWithdrawal({ ...input, spreadBps: 75 });
    expect([price.feeMinor, formatDecimal(price.exchangeRate), price.sourceAmountBase]).toEqual([1_500n, "128.896103896", 7_874_560n]);
  });

  it("covers what is paid out, and not one unit more than that takes", () => {
    const prices = fc.record({
      amountMinor: fc.bigInt(1n, 10n ** 12n),
      exponent: fc.constantFrom(0, 2, 3),
      midRate: fc.tuple(fc.bigInt(1n, 10n ** 9n), fc.integer({ min: 0, max: 9 })).map(([coefficient, scale]) => ({ coefficient, scale })),
      spreadBps: fc.integer({ min: 0, max: 500 }),
      chargeFeePercentage: fc.constantFrom("0", "0.25", "3.1415").map(decimal),
      tokenDecimals: fc.constantFrom(6, 8, 18),
    });
    let priced = 0;
    fc.assert(
      fc.property(prices, (each) => {
        const code = codeOf(() => priceWithdrawal(each));
        if (code !== null) {
          expect(["amount_too_large", "rate_unavailable"]).toContain(code);
          return;
        }
        priced += 1;
        const { sourceAmountBase, exchangeRate, feeMinor } = priceWithdrawal(each);
        const due = (each.amountMinor + feeMinor) * 10n ** BigInt(exchangeRate.scale + each.tokenDecimals);
        const worth = (base: bigint) => base * exchangeRate.coefficient * 10n ** BigInt(each.exponent);
        expect(worth(sourceAmountBase) >= due).toBe(true);
        expect(worth(sourceAmountBase - displayUnitBase(each.tokenDecimals)) < due).toBe(true);
      }),
    );
    expect(priced).toBeGreaterThan(0);
  });

  it("never pays more fiat for the crypto than the mid rate does", () => {
    expect(formatDecimal(sellingRate(decimal("0.0077"), 0))).toBe("129.87012987");
    expect(codeOf(() => sellingRate(decimal("0"), 0))).toBe("rate_unavailable");
  });
});

describe("a pool", () => {
  const pool: FiatPool = { currency: "KES", totalMinor: 1_000n, reservedMinor: 400n, minimumMinor: 10n, maximumMinor: 700n };

  it.each([
    [9n, "amount_too_small"],
    [10n, null],
    [600n, null],
    [601n, "insufficient_liquidity"],
    [700n, "insufficient_liquidity"],
    [701n, "amount_too_large"],
  ])("with 600 free between 10 and 700 answers %s with %s", (amount, code) => {
    expect(codeOf(() => refuseBeyondPool(pool, amount))).toBe(code);
  });
});

describe("the rail's signature", () => {
  it("is the hex HMAC-SHA512 of the raw bytes (RFC 4231, case 2)", () => {
    expect(railSignature("Jefe", "what do ya want for nothing?")).toBe(
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
    );
  });

  it("holds in either case, and for no other bytes, secret, length or alphabet", () => {
    const body = Buffer.from('{"order_id":"wd_1"}');
    const good = railSignature("secret", body);
    expect([good, good.toUpperCase()].map((each) => railSignatureMatches("secret", body, each))).toEqual([true, true]);
    const bad = [
      good.slice(2),
      `${good}00`,
      "",
      `${good.slice(0, -1)}g`,
      railSignature("other", body),
      railSignature("secret", `${body} `),
    ];
    expect(bad.map((each) => railSignatureMatches("secret", body, each))).toEqual(bad.map(() => false));
  });
});

describe("the shares of a pool", () => {
  const pool = { currency: "KES", minimumMinor: 0n, maximumMinor: 0n };

  it("are of all that is there or to come, and nothing where there is nothing", () => {
    expect(poolShares({ ...pool, totalMinor: 700n, reservedMinor: 200n, pendingInMinor: 300n })).toEqual({
      available: 500,
      reserved: 200,
      pendingIn: 300,
    });
    expect(poolShares({ ...pool, totalMinor: 0n, reservedMinor: 0n, pendingInMinor: 0n })).toEqual({
      available: 0,
      reserved: 0,
      pendingIn: 0,
    });
  });

  it("never add up to more than a thousand", () => {
    const minor = fc.bigInt(0n, 10n ** 18n);
    fc.assert(
      fc.property(minor, minor, minor, (free, reservedMinor, pendingInMinor) => {
        const shares = poolShares({ ...pool, totalMinor: free + reservedMinor, reservedMinor, pendingInMinor });
        expect(shares.available + shares.reserved + shares.pendingIn).toBeLessThanOrEqual(1_000);
      }),
    );
  });
});

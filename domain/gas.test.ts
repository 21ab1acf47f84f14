import { describe, expect, test } from "vitest";
import { type FeeLimits, isFeeTooLarge, NO_FEE_LIMITS } from "./gas.ts";

const GWEI = 10n ** 9n;
const limits: FeeLimits = {
  hourlyBase: null,
  shareBps: 2_000n,
  coinValues: new Map([
    ["USDT", 3_000_000_000n],
    ["ETH", 1_000_000n],
  ]),
};
const fee = (base: bigint) => ({ base, decimals: 18 });
const usdt = (amountBase: bigint) => ({ currency: "USDT", amountBase, tokenDecimals: 6 });

describe("a fee is too large", () => {
  test("above its share of the payment, to the last base unit", () => {
    // At 3,000 USDT for a coin, 0.001 of it is 3 USDT: 20 % of 15 USDT.
    const milli = 10n ** 15n;
    expect(isFeeTooLarge(limits, fee(milli), usdt(15_000_000n))).toBe(false);
    expect(isFeeTooLarge(limits, fee(milli + 1n), usdt(15_000_000n))).toBe(true);
    expect(isFeeTooLarge(limits, fee(milli), usdt(14_999_999n))).toBe(true);
  });

  test("for a payment in the coin itself as well", () => {
    const eth = { currency: "ETH", amountBase: 5n * 21_000n * GWEI, tokenDecimals: 18 };
    expect(isFeeTooLarge(limits, fee(21_000n * GWEI), eth)).toBe(false);
    expect(isFeeTooLarge(limits, fee(21_000n * GWEI + 1n), eth)).toBe(true);
  });

  test("never where nobody said what the coin is worth, or where nothing is paid", () => {
    expect(isFeeTooLarge(limits, fee(10n ** 20n), { ...usdt(1n), currency: "USDC" })).toBe(false);
    expect(isFeeTooLarge(limits, fee(10n ** 20n), usdt(0n))).toBe(false);
    expect(isFeeTooLarge(NO_FEE_LIMITS, fee(10n ** 20n), usdt(1n))).toBe(false);
  });
});

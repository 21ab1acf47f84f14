import { describe, expect, it } from "vitest";
import { bandwidthFor, energyLimitFor, feeLimitFor, flatFee, missingSun, type TronPrices, type TronResources } from "./tron-fees.ts";

/** The main network's since proposal 104, and USDT's energy: to an address that holds it, and to one that does not. */
const PRICES: TronPrices = { energySun: 100n, bandwidthSun: 1_000n, memoSun: 1_000_000n, largestFeeLimitSun: 15_000_000_000n };
const [HOLDER, NEW] = [64_285n, 130_285n];
const NOTHING: TronResources = { balanceSun: 0n, energy: 0n, freeBandwidth: 0n, stakedBandwidth: 0n };

describe("what a transfer costs on Tron", () => {
  it("has a fee limit that still pays when the recipient is emptied before the block", () => {
    expect(energyLimitFor(HOLDER)).toBeGreaterThanOrEqual(NEW);
    expect(feeLimitFor(HOLDER, PRICES)).toBe(13_428_500n);
    expect(feeLimitFor(NEW, PRICES)).toBe(20_028_500n);
    // A quarter more, for what takes much: a step of the dynamic energy model is a fifth.
    expect(energyLimitFor(1_000_000n)).toBe(1_250_000n);
  });

  it("has no fee limit above the chain's", () => {
    expect(feeLimitFor(150_000_001n, PRICES)).toBe(null);
    expect(feeLimitFor(119_000_000n, PRICES)).toBe(14_875_000_000n);
  });

  it("weighs as much as the network's transactions do", () => {
    // A transfer of USDT without a memo has 211 bytes to sign, and takes 345 of bandwidth on the main network.
    expect(bandwidthFor(211)).toBe(345n);
    expect(flatFee(211, false, PRICES)).toBe(345_000n);
    expect(flatFee(211, true, PRICES)).toBe(1_345_000n);
  });

  it("waits for exactly what is missing: energy of a stake first, then TRX, bandwidth as a whole or not at all", () => {
    const order = { energy: NEW, rawBytes: 211, hasMemo: false };
    const whole = NEW * 100n + 345_000n;
    expect(missingSun(NOTHING, order, PRICES)).toBe(whole);
    expect(missingSun({ ...NOTHING, balanceSun: whole - 1n }, order, PRICES)).toBe(1n);
    expect(missingSun({ ...NOTHING, balanceSun: whole }, order, PRICES)).toBe(0n);
    expect(missingSun({ ...NOTHING, energy: NEW, freeBandwidth: 345n }, order, PRICES)).toBe(0n);
    expect(missingSun({ ...NOTHING, energy: NEW, freeBandwidth: 300n, stakedBandwidth: 300n }, order, PRICES)).toBe(345_000n);
    expect(missingSun({ ...NOTHING, energy: NEW + 1_000n, freeBandwidth: 345n }, { ...order, hasMemo: true }, PRICES)).toBe(1_000_000n);
  });
});

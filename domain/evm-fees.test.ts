import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bumpedFees, type EvmFees, firstFees } from "./evm-fees.ts";

const GWEI = 10n ** 9n;

describe("fees", () => {
  it("leave room for the base fee to double", () => {
    expect(firstFees({ baseFeePerGas: 10n * GWEI, tip: GWEI }, null)).toEqual({ maxFeePerGas: 21n * GWEI, maxPriorityFeePerGas: GWEI });
  });

  it("stay under the cap, and wait when the base fee is above it", () => {
    expect(firstFees({ baseFeePerGas: 10n * GWEI, tip: GWEI }, 15n * GWEI)?.maxFeePerGas).toBe(15n * GWEI);
    expect(firstFees({ baseFeePerGas: 16n * GWEI, tip: GWEI }, 15n * GWEI)).toBeNull();
  });

  it("rise by an eighth, or follow the market where that is more", () => {
    const previous = { maxFeePerGas: 8n * GWEI, maxPriorityFeePerGas: 8n };
    expect(bumpedFees(previous, { baseFeePerGas: GWEI, tip: 1n }, null)).toEqual({ maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 9n });
    expect(bumpedFees(previous, { baseFeePerGas: 20n * GWEI, tip: 10n }, null)?.maxFeePerGas).toBe(40n * GWEI + 10n);
  });

  it("are never a step that a node refuses, never above the cap, and the tip never above the whole", () => {
    const wei = fc.bigInt({ min: 0n, max: 10n ** 13n });
    fc.assert(
      fc.property(wei, wei, wei, wei, fc.option(wei, { nil: null }), (fee, tip, base, marketTip, cap) => {
        const previous: EvmFees = { maxFeePerGas: fee + tip, maxPriorityFeePerGas: tip };
        const next = bumpedFees(previous, { baseFeePerGas: base, tip: marketTip }, cap);
        if (next === null) return cap !== null;
        return (
          next.maxFeePerGas * 10n >= previous.maxFeePerGas * 11n &&
          next.maxPriorityFeePerGas * 10n >= previous.maxPriorityFeePerGas * 11n &&
          next.maxPriorityFeePerGas <= next.maxFeePerGas &&
          (cap === null || next.maxFeePerGas <= cap)
        );
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { gasLimitFor, mayHaveRunOut } from "./evm-fees.ts";

describe("a transaction's gas", () => {
  it("is half as much again as was needed, and never less than 40,000 more", () => {
    expect(gasLimitFor(41_044n)).toBe(81_044n);
    expect(gasLimitFor(80_000n)).toBe(120_000n);
    expect(gasLimitFor(1_000_001n)).toBe(1_500_002n);
    expect(gasLimitFor(21_000n)).toBe(61_000n);
  });

  it("ran out when all of it was used, or all but what a proxy or two keep back", () => {
    expect(mayHaveRunOut(49_252n, 49_252n)).toBe(true);
    expect(mayHaveRunOut(97_000n, 100_000n)).toBe(true);
    expect(mayHaveRunOut(60_000n, 100_000n)).toBe(false);
  });
});

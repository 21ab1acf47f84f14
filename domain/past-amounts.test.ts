import { expect, it } from "vitest";
import { dotsOf, perMille } from "./past-amounts.ts";

it("places amounts by their size from zero on, and stacks those that would cover each other", () => {
  expect(dotsOf([1_000n, 10n, 10n, 11n, 500n], 1_000n)).toEqual([
    { at: 10, row: 0 },
    { at: 10, row: 1 },
    { at: 11, row: 2 },
    { at: 500, row: 0 },
    { at: 1_000, row: 0 },
  ]);
  expect(dotsOf([], 5n)).toEqual([]);
});

it("keeps the place of an amount beyond the safe integers, and of nothing but zeros", () => {
  const huge = 9_007_199_254_740_993n * 1_000n;
  expect(perMille(huge / 4n, huge)).toBe(250);
  expect(dotsOf([0n], 0n)).toEqual([{ at: 0, row: 0 }]);
});

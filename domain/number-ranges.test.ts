import { expect, it } from "vitest";
import { formatRanges, parseRanges } from "./number-ranges.ts";

it("writes numbers as ranges, and reads what it wrote", () => {
  for (const [numbers, text] of [
    [[], ""],
    [[7], "7"],
    [[9, 7, 8, 3, 7], "3, 7-9"],
    [[0, 1, 4], "0-1, 4"],
  ] as const) {
    expect(formatRanges(numbers)).toBe(text);
    expect(parseRanges(text, 10)).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  }
});

it("reads what people type, and nothing that names more than is allowed", () => {
  expect(parseRanges(" 3 ,7 – 9", 10)).toEqual([3, 7, 8, 9]);
  for (const text of ["x", "3,", "9-7", "-1", "1.5", "0-10", "1, 2, 3-10", "1-999999999999999"]) expect(parseRanges(text, 9)).toBeNull();
});

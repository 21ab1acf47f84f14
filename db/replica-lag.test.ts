import { expect, test } from "vitest";
import { behindOf } from "./replica-lag.ts";

const places = [
  { at: 0, position: 10n },
  { at: 1_000, position: 20n },
  { at: 2_000, position: 20n },
  { at: 3_000, position: 35n },
];

test("a standby is as far behind as the oldest place that it has not reached was seen ago", () => {
  expect(behindOf(places, 35n, 3_500)).toEqual({ lagMs: 0, passed: 3 });
  expect(behindOf(places, 34n, 3_500)).toEqual({ lagMs: 500, passed: 2 });
  expect(behindOf(places, 19n, 3_500)).toEqual({ lagMs: 2_500, passed: 0 });
  expect(behindOf(places, 5n, 3_500)).toEqual({ lagMs: 3_500, passed: 0 });
});

test("one observation does not show how long a standby has been behind", () => {
  expect(behindOf([], 5n, 100)).toEqual({ lagMs: null, passed: 0 });
  expect(behindOf(places.slice(0, 1), 5n, 100)).toEqual({ lagMs: null, passed: 0 });
  expect(behindOf(places.slice(0, 1), 10n, 100)).toEqual({ lagMs: 0, passed: 0 });
});

import { expect, test } from "vitest";
import { lossesAgainst, ratiosIn } from "./compare.ts";
import { ratesTable } from "./report.ts";
import type { Outcome } from "./rounds.ts";

const flat = (value: number) => ({ median: value, low: value, high: value });
const one = (name: string, ratio: number, high = ratio): Outcome => ({
  name,
  perSecond: flat(1_000),
  p50Ms: 2,
  cpuMs: { web: 0.2 },
  against: { name: "Fastify, create", ratio: { median: ratio, low: ratio / 2, high }, goal: 0.65 },
});
const bare: Outcome = { name: "Fastify, create", perSecond: flat(4_000), p50Ms: 1, cpuMs: {}, against: null };

test("the ratios of a table that the bench has written are read back; the reference has none", () => {
  expect(ratiosIn(ratesTable([one("create", 0.27, 0.5), one("pair, 2 web processes", 1.03), bare]))).toEqual([
    { name: "create", median: 0.27, high: 0.5 },
    { name: "pair, 2 web processes", median: 1.03, high: 1.03 },
  ]);
});

test("what fell by more than a tenth, in its best round too, is a loss; what is new, gone, or only noisier is none", () => {
  const before = ratesTable([one("create", 0.3), one("get", 0.6), one("pair", 0.3), one("gone", 0.9), bare]);
  const now = ratesTable([one("create", 0.28), one("get", 0.5), one("pair", 0.2, 0.29), one("new", 0.01), bare]);
  expect(lossesAgainst(before, now, 0.1)).toEqual(["get: 0.50 (at best 0.50), and 0.60 before"]);
});

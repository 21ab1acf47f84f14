import { afterAll, beforeAll, expect, test } from "vitest";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import type { Log, RateSource } from "#server/ports.ts";
import { readFreshRate } from "#server/services/rates/read-rates.ts";
import { startLoop } from "#server/worker/loop.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms } from "#testing/factories.ts";
import { ratesDuty } from "./rates-duty.ts";

const log: Log = { info: () => {}, warn: () => {}, error: () => {}, child: () => log };
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
});
afterAll(() => database.close());

/** A market with these rates, one per round, then the last for ever; an invalid rate is a source that throws. */
function market(...rates: string[]): RateSource {
  return {
    name: "market",
    observe: async (pairs) => {
      const next = rates.length > 1 ? rates.shift() : rates[0];
      if (next === undefined || next === "down") throw new Error("no market");
      return pairs.map((pair) => ({ ...pair, midRate: decimal(next), source: "market", asOf: new Date() }));
    },
  };
}

test("the worker keeps rates fresh, whatever a round does, and remembers a jump from round to round", async () => {
  const ctx = { db: database.db, clock: { now: () => new Date() }, log };
  const duty = { ...ratesDuty(ctx, { source: market("0.0077", "down", "0.0078", "0.0100"), maximumAgeSeconds: 60 }), everyMs: 200 };
  const loop = startLoop({ duties: [duty], listen: async () => {}, log });
  const rate = async () => formatDecimal((await readFreshRate(ctx, { sourceCurrency: "KES", destinationCurrency: "USDT" })).midRate);
  await expect.poll(() => rate().catch(() => null)).toBe("0.0077");
  await expect.poll(rate).toBe("0.0078");
  await expect.poll(rate).toBe("0.01");
  await loop.stop();
});

test("a source whose rate has just become too old is asked again soon, until it has a fresh one", async () => {
  const ctx = { db: database.db, clock: { now: () => new Date() }, log };
  let asOf = new Date(Date.now() - 121_000);
  const source: RateSource = {
    name: "market",
    observe: async (pairs) => pairs.map((pair) => ({ ...pair, midRate: decimal("0.01"), source: "market", asOf })),
  };
  const duty = ratesDuty(ctx, { source, maximumAgeSeconds: 120 });
  const pauseAfterRound = async () => {
    await duty.run(AbortSignal.timeout(60_000));
    return duty.everyMs;
  };
  expect(await pauseAfterRound()).toBe(2_000);
  // What has been away for longer is not asked for more often.
  asOf = new Date(Date.now() - 3_600_000);
  expect(await pauseAfterRound()).toBe(10_000);
  asOf = new Date();
  expect(await pauseAfterRound()).toBe(10_000);
});

test("the pause between two rounds leaves room for three that fail", () => {
  const ctx = { db: database.db, clock: { now: () => new Date() }, log };
  expect(ratesDuty(ctx, { source: market("1"), maximumAgeSeconds: 120 }).everyMs).toBe(10_000);
  expect(ratesDuty(ctx, { source: market("1"), maximumAgeSeconds: 8 }).everyMs).toBe(2_000);
});

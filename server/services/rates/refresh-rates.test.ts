import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findFreshRate } from "#db/queries/rates/exchange-rates.ts";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import type { CurrencyPair, RateObservation } from "#domain/rate.ts";
import type { Log } from "#server/ports.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate } from "#testing/factories.ts";
import { type RefreshLimits, refreshRates, type Suspicions } from "./refresh-rates.ts";

const PAIR = { sourceCurrency: "KES", destinationCurrency: "USDT" };
const LIMITS: RefreshLimits = { maximumAgeSeconds: 60, jumpBps: 500, jumpConfirmations: 3 };
let database: TestDatabase;
let warnings: object[] = [];
const log: Log = { info: () => {}, error: () => {}, warn: (fields) => warnings.push(fields), child: () => log };

beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  warnings = [];
  await database.sql`delete from exchange_rates`;
});

let latest = 0;
/** Now, and never the instant of the round before: of two rates of one instant the first stays. */
function later(): Date {
  latest = Math.max(Date.now(), latest + 1);
  return new Date(latest);
}

type Answer = { rate: string; asOf?: Date; pair?: CurrencyPair };
async function pass(answers: Answer[], suspicions: Suspicions = new Map()) {
  const asked: CurrencyPair[] = [];
  const source = {
    name: "test",
    observe: async (pairs: readonly CurrencyPair[]): Promise<RateObservation[]> => {
      asked.push(...pairs);
      return answers.map(({ rate, asOf, pair }) => ({
        ...(pair ?? PAIR),
        midRate: decimal(rate),
        source: "a+b",
        asOf: asOf ?? later(),
      }));
    },
  };
  const ctx = { db: database.db, clock: { now: () => new Date() }, log };
  const result = await refreshRates(ctx, { source, limits: LIMITS, suspicions, signal: AbortSignal.timeout(5_000) });
  return { ...result, asked };
}
const stored = async () => {
  const rate = await findFreshRate(database.db, PAIR);
  return rate && formatDecimal(rate.midRate);
};

describe("refreshing the rates", () => {
  test("stores what the source reports, until it is too old", async () => {
    const asOf = new Date(Date.now() - 59_000);
    expect(await pass([{ rate: "0.0077", asOf }])).toMatchObject({ accepted: 1, refused: 0, missing: 0 });
    expect(await findFreshRate(database.db, PAIR)).toEqual({ midRate: decimal("0.0077"), source: "a+b", asOf });
    await pass([{ rate: "0.0078", asOf: new Date(Date.now() - 58_000) }]);
    expect(await stored()).toBe("0.0078");
    await database.sql`update exchange_rates set stale_at = clock_timestamp() - interval '1 second'`;
    expect(await stored()).toBeNull();
  });

  test("asks for exactly the currencies that somebody may quote", async () => {
    const { partnerId } = await addPartner(database.db);
    await addTerms(database.db, { sourceCurrency: "EUR", enabled: false });
    await addTerms(database.db, { sourceCurrency: "PHP", partnerId });
    await addTerms(database.db, { sourceCurrency: "NGN", partnerId, withdrawn: true });
    const { asked, missing } = await pass([]);
    expect(asked).toEqual([PAIR, { ...PAIR, sourceCurrency: "PHP" }]);
    expect(missing).toBe(2);
  });

  test("never lets an older observation replace a newer one, no matter which comes last", async () => {
    await pass([{ rate: "0.0077" }]);
    await pass([{ rate: "0.0076", asOf: new Date(Date.now() - 30_000) }]);
    expect(await stored()).toBe("0.0077");
  });

  test("keeps the last rate when the source has none", async () => {
    await pass([{ rate: "0.0077" }]);
    await pass([]);
    expect(await stored()).toBe("0.0077");
  });

  test("refuses and logs a jump, and believes it once enough rounds in a row confirm it", async () => {
    const suspicions: Suspicions = new Map();
    await pass([{ rate: "0.0077" }], suspicions);
    expect(await pass([{ rate: "0.0100" }], suspicions)).toMatchObject({ refused: 1 });
    expect(warnings).toEqual([expect.objectContaining({ observed: "0.01", trouble: "a jump that awaits confirmation", source: "a+b" })]);
    expect(await pass([{ rate: "0.0101" }], suspicions)).toMatchObject({ refused: 1 });
    expect(await stored()).toBe("0.0077");
    expect(await pass([{ rate: "0.0100" }], suspicions)).toMatchObject({ accepted: 1 });
    expect(await stored()).toBe("0.01");
  });

  test("begins to count again when the level changes or the old one comes back", async () => {
    const suspicions: Suspicions = new Map();
    for (const rate of ["0.0077", "0.0100", "0.0100", "0.0077", "0.0100", "0.0200", "0.0100", "0.0100"]) await pass([{ rate }], suspicions);
    expect(await stored()).toBe("0.0077");
  });

  test("does not take the same observation for a confirmation of itself", async () => {
    const suspicions: Suspicions = new Map();
    await pass([{ rate: "0.0077", asOf: new Date(Date.now() - 1_000) }], suspicions);
    const asOf = new Date();
    for (let time = 0; time < 5; time += 1) await pass([{ rate: "0.0100", asOf }], suspicions);
    expect(await stored()).toBe("0.0077");
  });

  test("believes a move of exactly the limit at once", async () => {
    await pass([{ rate: "0.0100" }]);
    expect(await pass([{ rate: "0.0105" }])).toMatchObject({ accepted: 1 });
    expect(await pass([{ rate: "0.0099749999" }])).toMatchObject({ accepted: 0, refused: 1 });
  });

  test("refuses what is no price and what comes from the future", async () => {
    expect(await pass([{ rate: "0" }])).toMatchObject({ refused: 1 });
    expect(await pass([{ rate: "-0.0077" }])).toMatchObject({ refused: 1 });
    expect(await pass([{ rate: "0.0077", asOf: new Date(Date.now() + 60_000) }])).toMatchObject({ refused: 1 });
    expect(await stored()).toBeNull();
  });

  test("replaces a rate that was fixed, however far away it was", async () => {
    await setRate(database.db, "0.5");
    expect(await pass([{ rate: "0.0077" }])).toMatchObject({ accepted: 1 });
    expect(await stored()).toBe("0.0077");
  });
});

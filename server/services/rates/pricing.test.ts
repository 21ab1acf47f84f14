import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreshRate } from "#db/queries/rates/exchange-rates.ts";
import { findTerms } from "#db/queries/rates/pair-terms.ts";
import { ensureWallet } from "#db/queries/transfers/wallets.ts";
import { exchangeRates } from "#db/schema/rates.ts";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import { priceOrder, WITHDRAWAL_FIELDS } from "#server/services/fiat/price-order.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setClockOffset, setRate, TEST_CHAIN, testChains } from "#testing/factories.ts";
import { liftHalts } from "#testing/halts.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { listPairs } from "./list-pairs.ts";
import { previewRate } from "./preview-terms.ts";
import { readPricing } from "./read-pricing.ts";
import { convertCurrency, readFreshRate } from "./read-rates.ts";
import { NOT_TRADED } from "./unsupported-pair.ts";

const KES_USDT = { sourceCurrency: "KES", destinationCurrency: "USDT" };
const KEY = { ...KES_USDT, chain: TEST_CHAIN.chain };
let database: TestDatabase;
let ctx: { db: TestDatabase["db"]; chains: typeof testChains };
let partnerId: string;
let otherId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { db: database.db, chains: testChains };
  partnerId = (await addPartner(database.db)).partnerId;
  otherId = (await addPartner(database.db)).partnerId;
  await addTerms(database.db, { spreadBps: 10 });
  await addTerms(database.db, { version: 2, spreadBps: 100 });
  await setRate(database.db, "0.0077399");
});
afterAll(() => database.close());

const storeRate = (pair: typeof KES_USDT, staleAt: Date, midRate = "0.5") =>
  database.db
    .insert(exchangeRates)
    .values({ ...pair, midRate: decimal(midRate), source: "market", asOf: new Date(staleAt.getTime() - 60_000), staleAt });

describe("the terms in force", () => {
  test("are those of the highest version, whatever the order they were written in", async () => {
    const pair = { ...KEY, sourceCurrency: "GHS" };
    for (const version of [3, 1, 2]) await addTerms(database.db, { ...pair, version, spreadBps: version });
    expect((await findTerms(database.db, { ...pair, partnerId }))?.spreadBps).toBe(3);
  });

  test("are a partner's own override as a whole, for that partner alone, until it is withdrawn", async () => {
    const pair = { ...KEY, sourceCurrency: "UGX" };
    await addTerms(database.db, { ...pair, spreadBps: 100, minimumSourceMinor: 7n });
    await addTerms(database.db, { ...pair, partnerId, spreadBps: 20, minimumSourceMinor: 9n });
    await addTerms(database.db, { ...pair, version: 2, spreadBps: 300, minimumSourceMinor: 7n });
    expect(await findTerms(database.db, { ...pair, partnerId })).toMatchObject({ partnerId, spreadBps: 20, minimumSourceMinor: 9n });
    expect(await findTerms(database.db, { ...pair, partnerId: otherId })).toMatchObject({ partnerId: null, spreadBps: 300 });

    await addTerms(database.db, { ...pair, partnerId, version: 2, spreadBps: 20, withdrawn: true });
    expect(await findTerms(database.db, { ...pair, partnerId })).toMatchObject({ partnerId: null, version: 2, spreadBps: 300 });
    expect((await listPairs(ctx, { partnerId })).find((each) => each.terms.sourceCurrency === "UGX")?.terms.spreadBps).toBe(300);

    await addTerms(database.db, { ...pair, partnerId, version: 3, spreadBps: 25 });
    expect((await findTerms(database.db, { ...pair, partnerId }))?.spreadBps).toBe(25);
    expect((await listPairs(ctx, { partnerId })).find((each) => each.terms.sourceCurrency === "UGX")?.terms.spreadBps).toBe(25);
  });

  test("come with the fresh rate and business time", async () => {
    const pricing = await readPricing(ctx, { ...KEY, partnerId });
    expect(pricing).toMatchObject({
      terms: { version: 2, spreadBps: 100, platformFeeBase: 500_000n },
      token: { currency: "USDT", decimals: 6 },
    });
    expect(formatDecimal(pricing.rate?.midRate ?? decimal("0"))).toBe("0.0077399");
    expect(Math.abs(pricing.now.getTime() - Date.now())).toBeLessThan(AT_ONCE_MS);
  });

  test("are refused for unknown and disabled combinations, unknown currencies and unknown chains", async () => {
    const disabled = { ...KEY, sourceCurrency: "TZS" };
    await addTerms(database.db, disabled);
    await addTerms(database.db, { ...disabled, version: 2, enabled: false });
    for (const wrong of [
      disabled,
      { ...KEY, sourceCurrency: "EUR" },
      { ...KEY, sourceCurrency: "kes" },
      { ...KEY, destinationCurrency: "DOGE" },
    ]) {
      await expect(readPricing(ctx, { ...wrong, partnerId })).rejects.toMatchObject({ code: "unsupported_pair" });
    }
    await expect(readPricing(ctx, { ...KEY, chain: "eip155:1", partnerId })).rejects.toMatchObject({ code: "unsupported_chain" });
  });

  test("name the right spelling of a currency that lacks its capitals", async () => {
    const misspelt = { ...KEY, sourceCurrency: "kes", destinationCurrency: "usdt" };
    const sentence = "Currency codes are case-sensitive: write KES, not kes; USDT, not usdt.";
    await expect(readPricing(ctx, { ...misspelt, partnerId })).rejects.toThrow(sentence);
    await expect(convertCurrency(ctx, { from: "kes", to: "usdt", amount: "1" })).rejects.toThrow(sentence);
    await expect(convertCurrency(ctx, { from: "EUR", to: "DOGE", amount: "1" })).rejects.toThrow(NOT_TRADED);
  });

  test("name the field of the request that lacks its capitals, and no field that is right", async () => {
    const faults = (place: object, right: string, wrong: string) => ({
      ...place,
      code: "unsupported_pair",
      message: `Currency codes are case-sensitive: write ${right}, not ${wrong}.`,
    });
    const refusedAt = (refused: Promise<unknown>, errors: object[]) =>
      expect(refused).rejects.toMatchObject({ code: "unsupported_pair", particulars: { errors } });
    const both = { ...KEY, sourceCurrency: "kes", destinationCurrency: "usdt", partnerId };
    await refusedAt(previewRate(ctx, { ...both, sourceAmountMinor: null }), [
      faults({ parameter: "source_currency" }, "KES", "kes"),
      faults({ parameter: "destination_currency" }, "USDT", "usdt"),
    ]);
    const withdrawal = { chain: KEY.chain, partnerId, currency: "KES", crypto: "Usdt", amountMinor: 1n };
    await refusedAt(priceOrder(ctx, withdrawal, WITHDRAWAL_FIELDS), [faults({ pointer: "/source_currency" }, "USDT", "Usdt")]);
    await refusedAt(convertCurrency(ctx, { from: "USDT", to: "kes", amount: "1" }), [faults({ parameter: "to" }, "KES", "kes")]);
    const unknown = previewRate(ctx, { ...both, sourceCurrency: "EUR", destinationCurrency: "DOGE", sourceAmountMinor: null });
    await expect(unknown).rejects.toHaveProperty("particulars", {
      detail: NOT_TRADED,
      errors: [{ parameter: "destination_currency", code: "unsupported_pair", message: "This currency is not traded on this chain." }],
    });
  });
});

describe("a mid rate", () => {
  test("that is fixed never ages, however far business time is moved, and is of this very moment in real time", async () => {
    await setClockOffset(database.db, 400 * 86_400_000);
    const rate = await readFreshRate(ctx, KES_USDT);
    expect(Math.abs(rate.asOf.getTime() - Date.now())).toBeLessThan(AT_ONCE_MS);
    const { now } = await readPricing(ctx, { ...KEY, partnerId });
    expect(now.getTime()).toBeGreaterThan(Date.now() + 399 * 86_400_000);
    await setClockOffset(database.db, 0);
  });

  test("that is stale by real time is as good as none: 503 with a time to come back", async () => {
    const pair = { sourceCurrency: "ZAR", destinationCurrency: "USDT" };
    await addTerms(database.db, { ...KEY, ...pair });
    await expect(readFreshRate(ctx, pair)).rejects.toMatchObject({ code: "rate_unavailable", particulars: { retryAfterSeconds: 5 } });
    expect((await readPricing(ctx, { ...KEY, ...pair, partnerId })).rate).toBeNull();

    await storeRate(pair, new Date(Date.now() - 1));
    expect(await findFreshRate(database.db, pair)).toBeNull();
    await expect(previewRate(ctx, { ...KEY, ...pair, partnerId, sourceAmountMinor: null })).rejects.toMatchObject({
      code: "rate_unavailable",
    });
    expect((await listPairs(ctx, { partnerId })).find((each) => each.terms.sourceCurrency === "ZAR")?.quoting).toBe("down");
  });

  test("that is young is quoted from until the very instant it becomes stale", async () => {
    const pair = { sourceCurrency: "MWK", destinationCurrency: "USDT" };
    await addTerms(database.db, { ...KEY, ...pair });
    const staleAt = new Date(Date.now() + 4_000);
    await storeRate(pair, staleAt);
    expect((await readFreshRate(ctx, pair)).asOf).toEqual(new Date(staleAt.getTime() - 60_000));
    await new Promise((resolve) => setTimeout(resolve, staleAt.getTime() - Date.now() + 5));
    await expect(readFreshRate(ctx, pair)).rejects.toMatchObject({ code: "rate_unavailable" });
  });

  test("of which no rate can be published (zero) is not quoted from, and the pair says so", async () => {
    const pair = { sourceCurrency: "XOF", destinationCurrency: "USDT" };
    await addTerms(database.db, { ...KEY, ...pair });
    await setRate(database.db, "0", pair);
    expect((await listPairs(ctx, { partnerId })).find((each) => each.terms.sourceCurrency === "XOF")?.quoting).toBe("down");
    await expect(previewRate(ctx, { ...KEY, ...pair, partnerId, sourceAmountMinor: 100_000n })).rejects.toMatchObject({
      code: "rate_unavailable",
    });
  });
});

describe("the list of pairs", () => {
  test("has what the partner may quote and nothing of another partner", async () => {
    await addTerms(database.db, { ...KEY, sourceCurrency: "CHF", partnerId: otherId });
    await addTerms(database.db, { ...KEY, sourceCurrency: "EUR", enabled: false });
    await addTerms(database.db, { ...KEY, sourceCurrency: "NOK", chain: "eip155:1" });
    const codes = (await listPairs(ctx, { partnerId })).map((each) => each.terms.sourceCurrency);
    expect(codes).toContain("KES");
    for (const absent of ["CHF", "EUR", "NOK", "TZS"]) expect(codes).not.toContain(absent);
    expect((await listPairs(ctx, { partnerId: otherId })).map((each) => each.terms.sourceCurrency)).toContain("CHF");
  });

  test("shows the token and that quoting is up", async () => {
    const kes = (await listPairs(ctx, { partnerId })).find((each) => each.terms.sourceCurrency === "KES");
    expect(kes).toMatchObject({ quoting: "up", token: { decimals: 6 }, terms: { maximumSourceMinor: 100_000_000n } });
  });
});

describe("quoting", () => {
  test("is down while the chain or every wallet of it is halted", async () => {
    const id = await ensureWallet(database.db, { chain: TEST_CHAIN.chain, address: `0x${"9".repeat(40)}`, now: new Date() });
    const quoting = async () => (await listPairs(ctx, { partnerId })).find((each) => each.terms.sourceCurrency === "KES")?.quoting;
    expect(await quoting()).toBe("up");
    for (const scope of [
      { kind: "wallet" as const, key: id },
      { kind: "chain" as const, key: TEST_CHAIN.chain },
    ]) {
      await database.db.transaction((tx) => haltScope(tx, { scope, cause: "operator", detail: "a test" }));
      expect(await quoting()).toBe("down");
      await liftHalts(database.sql);
      expect(await quoting()).toBe("up");
    }
    await database.sql`update wallets set state = 'draining' where id = ${id}`;
    expect(await quoting()).toBe("down");
    await database.sql`update wallets set state = 'active' where id = ${id}`;
    expect(await quoting()).toBe("up");
  });
});

describe("the preview", () => {
  test("shows the rate with the spread in it, and with an amount what would be delivered", async () => {
    const without = await previewRate(ctx, { ...KEY, partnerId, sourceAmountMinor: null });
    expect(formatDecimal(without.exchangeRate)).toBe("0.007662501");
    expect(without).toMatchObject({ platformFeeBase: 500_000n, amounts: null });
    const preview = await previewRate(ctx, { ...KEY, partnerId, sourceAmountMinor: 100_000n });
    // 1,000.00 KES × 0.007662501 = 7.662501, less 0.5
    expect(preview.amounts).toEqual({ sourceAmountMinor: 100_000n, destinationAmountBase: 7_162_501n });
  });

  test("refuses too little at the query parameter, and prices what would need an approval", async () => {
    for (const sourceAmountMinor of [99n, 100n]) {
      await expect(previewRate(ctx, { ...KEY, partnerId, sourceAmountMinor })).rejects.toMatchObject({
        code: "amount_too_small",
        particulars: { errors: [{ parameter: "source_amount" }] },
      });
    }
    const above = await previewRate(ctx, { ...KEY, partnerId, sourceAmountMinor: 100_000_001n });
    expect(above.amounts?.destinationAmountBase).toBe(7_662_001_076n);
  });

  test("stores nothing", async () => {
    const count = async () =>
      (await database.sql`select (select count(*) from settlements) + (select count(*) from audit_entries) as n`)[0]?.n;
    const before = await count();
    await previewRate(ctx, { ...KEY, partnerId, sourceAmountMinor: 100_000n });
    expect(await count()).toBe(before);
  });
});

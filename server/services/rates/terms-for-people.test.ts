import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { saveObservation } from "#db/queries/rates/exchange-rates.ts";
import { ensureWallet } from "#db/queries/transfers/wallets.ts";
import { exchangeRates } from "#db/schema/rates.ts";
import type { By } from "#domain/access.ts";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import type { Terms } from "#domain/pair-terms.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { liftHalts } from "#testing/halts.ts";
import { justProven } from "#testing/people.ts";
import { setPairTerms, withdrawOverride } from "./change-terms.ts";
import { listAllTerms, readTermsHistory } from "./list-all-terms.ts";
import { previewTerms } from "./preview-terms.ts";

const ADMIN: By = { actor: { type: "user", userId: randomUUID(), role: "admin", partnerId: null }, requestId: null, proof: justProven() };
const TERMS: Terms = {
  enabled: true,
  spreadBps: 0,
  platformFeeBase: 500_000n,
  minimumSourceMinor: 100n,
  maximumSourceMinor: 100_000_000n,
  twoApprovalsAboveMinor: null,
  batchMaximumSourceMinor: null,
  quoteLifetimeSeconds: 300,
  approvedLifetimeSeconds: 1_800,
};
const owned = (partnerId: string | null = null, sourceCurrency = "KES") => ({
  sourceCurrency,
  destinationCurrency: "USDT",
  chain: TEST_CHAIN.chain,
  partnerId,
});

let database: TestDatabase;
let ctx: { db: TestDatabase["db"]; chains: typeof testChains; clock: { now: () => Date }; mode: "sandbox" };
let one: TestPartner;
let other: TestPartner;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { db: database.db, chains: testChains, clock: { now: () => new Date() }, mode: "sandbox" };
  [one, other] = await Promise.all([addPartner(database.db, { name: "One" }), addPartner(database.db, { name: "Other" })]);
  await setRate(database.db, "0.0077399");
  await set(owned(), TERMS, 0);
});
afterAll(() => database.close());

const set = (owner: ReturnType<typeof owned>, terms: Terms, expectedVersion: number, reason = "a good reason") =>
  setPairTerms(ctx, { by: ADMIN, owner, terms, expectedVersion, reason });
const create = (by: TestPartner, sourceAmountMinor: bigint) =>
  createSettlement(ctx, {
    by: by.by,
    partnerId: by.partnerId,
    apiKeyId: by.apiKeyId,
    sourceAmountMinor,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant",
    chain: TEST_CHAIN.chain,
    walletAddress: `0x${"1".repeat(40)}`,
    callbackUrl: null,
  });

describe("the preview of new terms", () => {
  test("quotes by the very code that prices settlements, before and after, and counts what would have needed approval", async () => {
    for (const amount of [10_000_000n, 40_000_000n, 60_000_000n, 100_000_001n]) await create(one, amount);
    const preview = await previewTerms(ctx, {
      owner: owned(),
      terms: { ...TERMS, spreadBps: 100, maximumSourceMinor: 50_000_000n, twoApprovalsAboveMinor: 100_000_000n },
    });
    expect(preview).toMatchObject({ settlements: 4, approvals: { current: 1, proposed: 2 }, twoApprovals: { current: 0, proposed: 1 } });
    const priced = await create(one, preview.sourceAmountMinor);
    expect(preview.current).toMatchObject({ destinationAmountBase: priced.quote.destinationAmountBase });
    // 0.0077399 less one per cent
    expect("exchangeRate" in preview.proposed && formatDecimal(preview.proposed.exchangeRate)).toBe("0.007662501");
  });

  test("looks at a partner's own settlements alone, and leaves them out of the pair's once it has terms of its own", async () => {
    await create(other, 90_000_000n);
    const terms = { ...TERMS, maximumSourceMinor: 80_000_000n };
    const before = await previewTerms(ctx, { owner: owned(), terms });
    expect(await previewTerms(ctx, { owner: owned(other.partnerId), terms })).toMatchObject({
      settlements: 1,
      approvals: { current: 0, proposed: 1 },
    });
    await set(owned(other.partnerId), TERMS, 0);
    expect((await previewTerms(ctx, { owner: owned(), terms })).settlements).toBe(before.settlements - 1);
    await withdrawOverride(ctx, { by: ADMIN, owner: { ...owned(), partnerId: other.partnerId }, expectedVersion: 1, reason: "over" });
    expect((await previewTerms(ctx, { owner: owned(), terms })).settlements).toBe(before.settlements);
  });

  test("says in a sentence why there would be no quote, refuses terms that make no sense, and changes nothing", async () => {
    const dear = await previewTerms(ctx, { owner: owned(), terms: { ...TERMS, platformFeeBase: 10_000_000_000n } });
    expect(dear.proposed).toEqual({ obstacle: expect.stringContaining("fee") });
    await expect(previewTerms(ctx, { owner: owned(), terms: { ...TERMS, spreadBps: 10_000 } })).rejects.toMatchObject({
      code: "validation_failed",
    });
    expect(await previewTerms(ctx, { owner: owned(null, "JPY"), terms: TERMS })).toMatchObject({
      current: null,
      proposed: { obstacle: expect.stringContaining("rate") },
      settlements: 0,
    });
    expect((await readTermsHistory(ctx, owned())).length).toBe(1);
  });
});

describe("the list of terms", () => {
  const find = async (source: string) => (await listAllTerms(ctx)).pairs.find(({ terms }) => terms.sourceCurrency === source);

  test("names for each pair whether it can be quoted, and why not", async () => {
    for (const source of ["EUR", "PHP", "NGN", "USD"]) await set(owned(null, source), { ...TERMS, enabled: source !== "USD" }, 0);
    const pair = (sourceCurrency: string) => ({ sourceCurrency, destinationCurrency: "USDT" });
    const asOf = new Date(Date.now() - 120_000);
    await saveObservation(database.db, {
      ...pair("EUR"),
      midRate: decimal("1.1"),
      source: "market",
      asOf,
      staleAt: new Date(Date.now() - 1),
    });
    await saveObservation(database.db, {
      ...pair("NGN"),
      midRate: decimal("0.0007"),
      source: "market",
      asOf,
      staleAt: new Date(Date.now() + 60_000),
    });
    const states = Object.fromEntries((await listAllTerms(ctx)).pairs.map(({ terms, state }) => [terms.sourceCurrency, state]));
    expect(states).toEqual({ KES: "up", EUR: "stale_rate", NGN: "up", PHP: "no_rate", USD: "disabled" });
    const id = await ensureWallet(database.db, { chain: TEST_CHAIN.chain, address: `0x${"9".repeat(40)}`, now: new Date() });
    await database.db.transaction((tx) => haltScope(tx, { scope: { kind: "wallet", key: id }, cause: "operator", detail: "a test" }));
    expect((await find("KES"))?.state).toBe("chain_paused");
    await liftHalts(database.sql);
    await database.db.delete(exchangeRates);
    await setRate(database.db, "0.0077399");
  });

  test("has the overrides in force by partner, none that was withdrawn, and the rates that quotes were made from", async () => {
    await set(owned(one.partnerId), { ...TERMS, spreadBps: 7 }, 0);
    const listed = await find("KES");
    expect(listed?.overrides.map(({ partnerName, spreadBps }) => [partnerName, spreadBps])).toEqual([["One", 7]]);
    expect(listed?.priced.length).toBeGreaterThan(0);
    expect(listed?.priced.at(-1)?.midRate).toBe("0.0077399");
    expect((await find("EUR"))?.priced).toEqual([]);
  });
});

describe("the history of terms", () => {
  test("has every version of its owner with the reason, the newest first, and no other owner's", async () => {
    await set(owned(), { ...TERMS, spreadBps: 20 }, 1, "a wider market");
    await set(owned(), TERMS, 2, "back to version 1");
    const history = await readTermsHistory(ctx, owned());
    expect(history.map(({ terms, entry }) => [terms.version, terms.spreadBps, entry?.reason])).toEqual([
      [3, 0, "back to version 1"],
      [2, 20, "a wider market"],
      [1, 0, "a good reason"],
    ]);
    const ofOther = await readTermsHistory(ctx, owned(other.partnerId));
    expect(ofOther.map(({ terms }) => [terms.version, terms.withdrawn])).toEqual([
      [2, true],
      [1, false],
    ]);
  });
});

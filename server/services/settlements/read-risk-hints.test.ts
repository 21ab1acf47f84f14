import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { insertSettlements } from "#db/queries/settlements/write-settlements.ts";
import { SYSTEM } from "#domain/access.ts";
import { decimal } from "#domain/decimal.ts";
import { newId } from "#domain/ids.ts";
import type { Settlement } from "#domain/settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { listRiskHints, readRiskHints } from "./read-risk-hints.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WALLET = `0x${"a".repeat(40)}`;
const OTHER_WALLET = `0x${"b".repeat(40)}`;

describe("risk hints", () => {
  let database: TestDatabase;
  let terms: string;
  let partner: TestPartner;
  beforeAll(async () => {
    database = await createTestDatabase();
    terms = await addTerms(database.db);
  });
  beforeEach(async () => {
    partner = await addPartner(database.db);
  });
  afterAll(() => database.close());

  type PastSettlement = { agoMs?: number; amount?: bigint; wallet?: string; merchant?: string; executed?: boolean; of?: TestPartner };
  const add = async ({
    agoMs = 0,
    amount = 1_000n,
    wallet = WALLET,
    merchant = "shop",
    executed = false,
    of = partner,
  }: PastSettlement = {}) => {
    const createdAt = new Date(NOW - agoMs);
    const id = newId("settlement", createdAt);
    const settlement: Settlement = {
      id,
      partnerId: of.partnerId,
      apiKeyId: of.apiKeyId,
      batchId: null,
      status: executed ? "executed" : "quoted",
      approvalState: null,
      externalTxId: executed ? id : null,
      externalMerchantId: merchant,
      sourceAmountMinor: amount,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      chain: TEST_CHAIN.chain,
      walletAddress: wallet,
      tokenAddress: null,
      tokenDecimals: 6,
      quote: {
        version: 1,
        exchangeRate: decimal("0.0077"),
        midRate: decimal("0.0077"),
        spreadBps: 0,
        rateSource: "test",
        rateAsOf: createdAt,
        pairTermsId: terms,
        grossBase: 2n,
        platformFeeBase: 1n,
        destinationAmountBase: 1n,
        pricedAt: createdAt,
        expiresAt: createdAt,
      },
      creationCallbackUrl: null,
      callbackUrl: executed ? "https://shop.example/" : null,
      createdAt,
      confirmedAt: executed ? createdAt : null,
      cancelledAt: null,
      approvalDecidedAt: null,
      trace: null,
      rejectionReason: null,
      txHash: executed ? "0x1" : null,
      executedAt: executed ? createdAt : null,
      failureReason: null,
      failedAt: null,
      metadata: null,
    };
    const made = { action: "settlement.created", objectId: id, change: {}, now: createdAt };
    await insertSettlements(database.db, [{ settlement, entry: { by: SYSTEM, partnerId: null, ...made }, event: null }]);
    return id;
  };
  const kinds = async (id: string) => (await readRiskHints(database, id)).map(({ kind }) => kind);

  it("report the first use of a wallet, until something was paid to it for this partner", async () => {
    expect(await kinds(await add())).toEqual(["first_wallet_use"]);
    await add({ agoMs: 2 * HOUR, executed: true, of: await addPartner(database.db) });
    expect(await kinds(await add({ merchant: "another" }))).toEqual(["first_wallet_use"]);
    await add({ agoMs: HOUR, executed: true, wallet: WALLET.toUpperCase().replace("0X", "0x"), merchant: "a third" });
    expect(await kinds(await add({ merchant: "a fourth" }))).toEqual([]);
  });

  it("report a wallet that changed for the merchant within 24 hours, with where the money went before", async () => {
    const before = await add({ agoMs: 48 * HOUR, wallet: OTHER_WALLET, executed: true });
    await add({ agoMs: 23 * HOUR, executed: true });
    const [hint] = await readRiskHints(database, await add());
    expect(hint).toMatchObject({
      kind: "wallet_changed",
      sentence: expect.stringContaining("23 h before"),
      evidence: [{ id: before, walletAddress: OTHER_WALLET }],
    });
    await add({ agoMs: 25 * HOUR, executed: true });
    expect(await kinds(await add({ amount: 999n }))).toEqual([]);
  });

  it("report an amount of three times the merchant's 95th percentile of 30 days, and not one below", async () => {
    for (let day = 1; day <= 6; day += 1) await add({ agoMs: day * 24 * HOUR, executed: true });
    await add({ agoMs: 31 * 24 * HOUR, amount: 1_000_000n, executed: true });
    const [hint] = await readRiskHints(database, await add({ amount: 3_000n }));
    expect(hint).toMatchObject({ kind: "far_above_usual", figures: [{ value: "1000" }, { name: "times", value: "3.0" }, { value: "6" }] });
    expect(await kinds(await add({ amount: 2_999n, agoMs: 1 }))).toEqual([]);
  });

  it("report several settlements just under the maximum within 24 hours, with each of them", async () => {
    await add({ agoMs: 48 * HOUR, executed: true });
    const under = [
      await add({ agoMs: 2 * HOUR, amount: 99_000_000n }),
      await add({ agoMs: HOUR, amount: 90_000_000n, merchant: "another" }),
    ];
    await add({ agoMs: HOUR, amount: 89_999_999n });
    await add({ agoMs: HOUR, amount: 100_000_001n });
    const found = await readRiskHints(database, await add({ amount: 95_000_000n }));
    expect(found.find(({ kind }) => kind === "just_under_maximum")?.evidence.map(({ id }) => id)).toEqual(under.toReversed());
  });

  it("report the same merchant, amount and wallet within 10 minutes", async () => {
    const first = await add({ agoMs: 10 * MINUTE, executed: true });
    await add({ agoMs: 11 * MINUTE, executed: true });
    await add({ agoMs: MINUTE, amount: 1_001n });
    expect(await readRiskHints(database, await add())).toMatchObject([{ kind: "repeated", evidence: [{ id: first }] }]);
  });

  it("come for a whole page at once, the same as one by one", async () => {
    const ids = [await add({ agoMs: 5 * MINUTE }), await add()];
    const page = await Promise.all(ids.map((id) => findSettlement(database.db, id)));
    const hints = await listRiskHints(
      database,
      page.filter((settlement) => settlement !== null),
    );
    for (const id of ids) expect(hints.get(id)).toEqual(await readRiskHints(database, id));
  });

  it("refuse what is no settlement", async () => {
    await expect(readRiskHints(database, newId("settlement", new Date()))).rejects.toMatchObject({ code: "settlement_not_found" });
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveSettlements } from "#db/queries/settlements/write-settlements.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey } from "#testing/surface.ts";

let database: TestDatabase;
let stage: PartnerStage;
let operator: string;
let own: IssuedApiKey;
let rival: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  operator = (await issueKey(stage.ctx, { partnerId: null })).apiKey;
  own = await issueKey(stage.ctx);
  rival = await issueKey(stage.ctx);
  await addTerms(database.db);
  await setRate(database.db, "0.00773994");
  for (const sourceCurrency of ["JPY", "EUR"]) await addTerms(database.db, { sourceCurrency });
  await setRate(database.db, "0.0064", { sourceCurrency: "JPY", destinationCurrency: "USDT" });
});
afterAll(() => database.close());

const get = (target: string, apiKey = own.apiKey) => stage.call("GET", target, { apiKey });

describe("exchange rates", () => {
  it("are the mid rates that quoting starts from, to partners and operator alike", async () => {
    for (const apiKey of [own.apiKey, operator]) {
      const answer = await get("/exchange-rates", apiKey);
      expect([answer.status, answer.body]).toEqual([
        200,
        [
          { source_currency: "JPY", destination_currency: "USDT", rate: 0.0064, source: "test", as_of: expect.any(String) },
          { source_currency: "KES", destination_currency: "USDT", rate: 0.00773994, source: "test", as_of: expect.any(String) },
        ],
      ]);
    }
  });

  it("that are stale are no rates", async () => {
    await database.sql`update exchange_rates set stale_at = clock_timestamp() where source_currency = 'JPY'`;
    expect((await get("/exchange-rates")).body).toHaveLength(1);
    const conversion = await get("/exchange-rates/convert?from=JPY&to=USDT&amount=100");
    expect([conversion.status, conversion.body.code, conversion.headers["Retry-After"]]).toEqual([503, "rate_unavailable", "5"]);
    await database.sql`update exchange_rates set stale_at = null where source_currency = 'JPY'`;
  });
});

describe("a conversion", () => {
  const convert = (query: string) => get(`/exchange-rates/convert?${query}`);

  it("goes both ways: fiat in minor units, crypto in units", async () => {
    const there = await convert("from=KES&to=USDT&amount=100000");
    expect([there.status, there.body]).toEqual([
      200,
      { from: "KES", to: "USDT", amount: 100_000, rate: 0.00773994, converted_amount: 7.73994, as_of: expect.any(String) },
    ]);
    const back = await convert("from=USDT&to=KES&amount=7.73994");
    expect(back.body).toMatchObject({ amount: 7.73994, rate: 129.199967958, converted_amount: 99_999 });
    expect((await convert("from=USDT&to=JPY&amount=0.000001")).body).toMatchObject({ converted_amount: 0 });
  });

  it("is refused between currencies that are not traded", async () => {
    for (const pair of ["from=KES&to=USD", "from=USDT&to=USDC", "from=KES&to=KES", "from=XXX&to=USDT", "from=KES&to=BTC"]) {
      const answer = await convert(`${pair}&amount=1`);
      expect([answer.status, answer.body.code]).toEqual([422, "unsupported_pair"]);
      expect(answer.body.detail).toEqual([{ loc: ["query"], msg: expect.any(String), type: "unsupported_pair" }]);
    }
  });

  it("names the currency that lacks its capitals", async () => {
    const { status, body } = await convert("from=kes&to=USDT&amount=1");
    expect([status, body.code]).toEqual([422, "unsupported_pair"]);
    const msg = "Currency codes are case-sensitive: write KES, not kes.";
    expect(body.detail).toEqual([{ loc: ["query", "from"], msg, type: "unsupported_pair" }]);
  });

  it("is refused for an invalid amount, and without one", async () => {
    for (const amount of ["0", "-1", "1.5", "x", "", "1e400", "1&amount=2"]) {
      const answer = await convert(`from=KES&to=USDT&amount=${amount}`);
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ["query", "amount"]]);
    }
    expect((await convert("from=KES&to=USDT")).body.detail).toEqual([{ loc: ["query", "amount"], msg: "is required", type: "missing" }]);
    expect((await convert("from=KES&to=USDT&amount=999999999999999999")).body.code).toBe("amount_too_large");
  });

  it("without a rate is 503", async () => {
    expect((await convert("from=EUR&to=USDT&amount=100")).body.code).toBe("rate_unavailable");
  });
});

describe("all transactions", () => {
  const make = async (key: IssuedApiKey, change: Partial<Settlement> = {}) => {
    const partnerId = key.partnerId ?? "";
    const settlement = await createSettlement(stage.ctx, {
      partnerId,
      apiKeyId: key.id,
      by: { actor: { type: "api_key", apiKeyId: key.id, partnerId }, requestId: null },
      sourceAmountMinor: 100_000n,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      externalMerchantId: "m",
      chain: TEST_CHAIN.chain,
      walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
      callbackUrl: null,
    });
    const entry = { action: "settlement.changed", objectId: settlement.id, change: {}, now: new Date() };
    await saveSettlements(database.db, [
      { settlement: { ...settlement, ...change }, entry: { by: SYSTEM, partnerId, ...entry }, event: null },
    ]);
    return settlement.id;
  };
  const cancelled = { status: "cancelled", cancelledAt: new Date() } as const;
  const ids = async (query: string, key = own.apiKey) => {
    const { body } = await get(`/partners/transactions?${query}`, key);
    return [body.items.map((item: { id: string }) => item.id), body.total];
  };

  it("contain a partner's settlements with what all kinds have in common, and the operator's list contains everybody's", async () => {
    const externalTxId = randomUUID();
    const first = await make(own, { status: "processing", externalTxId, confirmedAt: new Date(), callbackUrl: "https://example.com" });
    const second = await make(own, cancelled);
    const foreign = await make(rival);
    const { status, body } = await get("/partners/transactions");
    expect([status, body]).toEqual([
      200,
      {
        items: [expect.objectContaining({ id: second }), expect.objectContaining({ id: first })],
        total: 2,
        skip: 0,
        limit: 25,
        next_cursor: null,
      },
    ]);
    expect(body.items[1]).toEqual({
      type: "settlement",
      id: first,
      partner_id: own.partnerId,
      external_id: externalTxId,
      status: "processing",
      source_currency: "KES",
      source_amount: 100_000,
      destination_currency: "USDT",
      destination_amount: 7.23994,
      exchange_rate: 0.00773994,
      fee: 0.5,
      fee_currency: "USDT",
      rate_unit: "USDT per KES",
      chain: TEST_CHAIN.chain,
      tx_hash: null,
      failure_reason: null,
      created_at: expect.any(String),
      completed_at: null,
    });
    expect(await ids("", operator)).toEqual([[foreign, second, first], 3]);
    expect(await ids(`external_id=${externalTxId}`)).toEqual([[first], 1]);
    expect(await ids(`partner_id=${rival.partnerId}`, operator)).toEqual([[foreign], 1]);
    expect(await ids(`partner_id=${own.partnerId}&type=settlement`, operator)).toEqual([[second, first], 2]);
    expect(await ids(`partner_id=${rival.partnerId}`)).toEqual([[], 0]);
    expect(await ids("status=cancelled")).toEqual([[second], 1]);
    expect(await ids("status=completed")).toEqual([[], 0]);
    expect(await ids("type=settlement")).toEqual([[second, first], 2]);
    expect(await ids("type=topup")).toEqual([[], 0]);
    expect(await ids("skip=1&limit=1")).toEqual([[first], 2]);
    expect(await ids("skip=7")).toEqual([[], 2]);
    const { created_at: at } = body.items[0];
    expect(await ids(`created_from=${at}`)).toEqual([[second], 1]);
    expect(await ids(`created_to=${at}`)).toEqual([[first], 1]);
  });

  it("are refused with an unknown filter", async () => {
    for (const query of ["type=gift", "status=lost", "limit=101", "limit=0", "skip=x", "created_from=yesterday", "partner_id=x"]) {
      expect((await get(`/partners/transactions?${query}`)).status).toBe(422);
    }
  });

  it("are paged without a gap or a repeat where many have one instant", async () => {
    const key = await issueKey(stage.ctx);
    const template = await make(key);
    await database.sql`update settlements set created_at = date_trunc('second', created_at) where id = ${template}`;
    const made = [template, ...(await Promise.all(Array.from({ length: 11 }, () => make(key))))];
    await database.sql`update settlements set created_at = (select created_at from settlements where id = ${template}) where partner_id = ${key.partnerId}`;
    const seen = [];
    for (const skip of [0, 5, 10]) seen.push(...(await ids(`skip=${skip}&limit=5`, key.apiKey))[0]);
    expect(seen.sort()).toEqual(made.sort());
  });

  it("are walked by cursor without a gap or a repeat, however many are made between the pages and within one instant", async () => {
    const key = await issueKey(stage.ctx);
    const made = [];
    for (let count = 0; count < 7; count += 1) made.push(await make(key));
    await database.sql`update settlements set created_at = date_trunc('second', created_at) where partner_id = ${key.partnerId}`;
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { status, body } = await get(`/partners/transactions?limit=3${cursor && `&cursor=${cursor}`}`, key.apiKey);
      expect(status).toBe(200);
      seen.push(...body.items.map((item: { id: string }) => item.id));
      cursor = body.next_cursor;
      await make(key);
    }
    expect(seen.sort()).toEqual(made.sort());
  });

  it("refuse a cursor that no answer gave out, and one together with skip", async () => {
    const { next_cursor } = (await get("/partners/transactions?limit=1")).body;
    for (const [query, parameter] of [
      ["cursor=x", "cursor"],
      [`cursor=${next_cursor}&skip=1`, "skip"],
    ] as const) {
      const { status, body } = await get(`/partners/transactions?${query}`);
      expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ["query", parameter] })]]);
    }
    expect((await get(`/partners/transactions?cursor=${next_cursor}&skip=0`)).status).toBe(200);
  });
});

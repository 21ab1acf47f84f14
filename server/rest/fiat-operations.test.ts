import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { railSignature } from "#domain/rail-signature.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { silentLog } from "#testing/callbacks.ts";
import { addPartner, TEST_CHAIN } from "#testing/factories.ts";
import { type FiatBench, MEMBER_SAFE, openFiatBench, SAFE } from "#testing/fiat.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey, TEST_RAIL_SECRET } from "#testing/surface.ts";

const WITHDRAW = "/partners/transactions/withdraw-fiat";
const TOPUP = "/partners/transactions/topup-fiat";
let bench: FiatBench;
let stage: PartnerStage;
let apiKey: string;
let operatorKey: string;

beforeEach(async () => {
  bench = await openFiatBench();
  stage = openPartnerStage(bench.db, { evm: bench.ctx.evm, log: silentLog });
  apiKey = (await issueKey(stage.ctx, { partnerId: bench.partner.partnerId })).apiKey;
  operatorKey = (await issueKey(stage.ctx, { partnerId: null })).apiKey;
});
afterEach(() => bench.close());

const withdrawal = {
  external_id: "order-1",
  amount: 100_000,
  currency: "KES",
  source_currency: "USDT",
  chain: TEST_CHAIN.chain,
  destination: { type: "mobile_money", account: "+254700000000", name: "Wanjiru" },
};
const topup = {
  external_id: "order-1",
  external_user_id: "user-1",
  amount: 100_000,
  currency: "KES",
  destination_currency: "USDT",
  chain: TEST_CHAIN.chain,
  source: { type: "mobile_money", account: "+254700000000" },
};
const post = (target: string, body: unknown) => stage.call("POST", target, { apiKey, body });
const fromProvider = (target: string, body: string, signature: string | null = railSignature(TEST_RAIL_SECRET, body)) =>
  stage.call("POST", `${target}/callback`, { body, headers: signature === null ? {} : { "X-Signature": signature } });

describe("Withdraw Fiat", () => {
  it("answers 201 with all its fields, a repeat 200 with the same, another request 409", async () => {
    const metadata = { invoice: "INV-7", "a name": "" };
    const made = await post(WITHDRAW, { ...withdrawal, callback_url: "http://localhost:9/fiat", metadata });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^wd_[0-9a-z]{26}$/),
        status: "pending",
        external_user_id: null,
        source_amount: 7.815501,
        exchange_rate: 129.87012987,
        rate_unit: "KES per USDT",
        metadata,
        fee: 1_500,
        tx_hash: null,
        return_tx_hash: null,
        waiting_reason: null,
        waiting_since: null,
        waiting_until: null,
        provider_reference: null,
        failure_reason: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        completed_at: null,
        cancelled_at: null,
        ...withdrawal,
        callback_url: "http://localhost:9/fiat",
      },
    ]);
    const reordered = Object.fromEntries(Object.entries(metadata).reverse());
    const again = await post(WITHDRAW, { ...withdrawal, callback_url: "http://localhost:9/fiat", metadata: reordered });
    expect([again.status, again.body]).toEqual([200, made.body]);
    const noted = await post(WITHDRAW, { ...withdrawal, callback_url: "http://localhost:9/fiat", metadata: { invoice: "INV-8" } });
    expect([noted.status, noted.body.code]).toEqual([409, "conflict"]);
    const other = await post(WITHDRAW, { ...withdrawal, amount: 100_001 });
    expect([other.status, other.body.code]).toEqual([409, "conflict"]);
    const read = await stage.call("GET", `${WITHDRAW}/${made.body.id}`, { apiKey });
    expect([read.status, read.body]).toEqual([200, made.body]);
  });

  it("has a price before, and takes no more crypto than the request allows", async () => {
    const { external_id: _, destination: __, ...asked } = withdrawal;
    const query = (values: object) => new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));
    const priced = await stage.call("GET", `${WITHDRAW}/preview?${query(asked)}`, { apiKey });
    expect([priced.status, priced.body]).toEqual([
      200,
      { ...asked, source_amount: 7.815501, exchange_rate: 129.87012987, rate_unit: "KES per USDT", fee: 1_500, as_of: expect.any(String) },
    ]);
    const counts = async () =>
      (await bench.sql`select (select count(*) from withdrawals) + (select count(*) from topups) as orders`)[0]?.orders;
    const before = await counts();
    const dear = await post(WITHDRAW, { ...withdrawal, maximum_source_amount: 7.8155 });
    expect([dear.status, dear.body]).toMatchObject([409, { code: "quote_changed", current_source_amount: 7.815501 }]);
    expect(await counts()).toEqual(before);
    const made = await post(WITHDRAW, { ...withdrawal, maximum_source_amount: 7.815501 });
    expect(made.status).toBe(201);
    // A repeat is what exists, whatever the price is now.
    expect((await post(WITHDRAW, { ...withdrawal, maximum_source_amount: 1 })).body).toEqual(made.body);
    for (const values of [
      { ...asked, amount: 0 },
      { ...asked, more: 1 },
      { ...asked, currency: "XYZ" },
      { ...asked, chain: "eip155:5" },
    ])
      expect((await stage.call("GET", `${WITHDRAW}/preview?${query(values)}`, { apiKey })).status).toBe(422);
    const { external_id: ___, external_user_id: ____, source: _____, ...collected } = topup;
    const sent = await stage.call("GET", `${TOPUP}/preview?${query(collected)}`, { apiKey });
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { ...collected, destination_amount: 7.5845, fee: 1_500, rate_unit: "USDT per KES" },
    ]);
    const little = await post(TOPUP, { ...topup, minimum_destination_amount: 7.58450001 });
    expect([little.status, little.body]).toMatchObject([409, { code: "quote_changed", current_destination_amount: 7.5845 }]);
    expect((await post(TOPUP, { ...topup, minimum_destination_amount: 7.5845 })).status).toBe(201);
  });

  it("for a registered member takes from the member's Safe", async () => {
    const made = await post(`${WITHDRAW}/member`, { ...withdrawal, external_user_id: "user-1" });
    expect([made.status, made.body.external_user_id]).toEqual([201, "user-1"]);
    expect((await bench.withdrawal(made.body.id)).safeAddress).toBe(MEMBER_SAFE);
    expect((await post(`${WITHDRAW}/member`, { ...withdrawal, external_user_id: "user-1" })).status).toBe(200);
    // The same reference for the partner's own Safe is another request.
    expect((await post(WITHDRAW, withdrawal)).status).toBe(409);
    expect((await post(`${WITHDRAW}/member`, { ...withdrawal, external_id: "2", external_user_id: "x" })).status).toBe(404);
  });

  it("renders every refusal in FastAPI's shapes", async () => {
    const tooMuch = await post(WITHDRAW, { ...withdrawal, amount: 500_001 });
    expect([tooMuch.status, tooMuch.body.detail[0].loc]).toEqual([422, ["body", "amount"]]);
    for (const body of [
      { ...withdrawal, amount: 0 },
      { ...withdrawal, amount: 1.5 },
      { ...withdrawal, more: 1 },
      { ...withdrawal, metadata: { invoice: 7 } },
      { ...withdrawal, destination: {} },
    ]) {
      const answer = await post(WITHDRAW, body);
      expect([answer.status, Array.isArray(answer.body.detail)]).toEqual([422, true]);
    }
    for (const body of [
      { ...withdrawal, currency: "XYZ" },
      { ...withdrawal, chain: "eip155:5" },
    ]) {
      const answer = await post(WITHDRAW, body);
      expect([answer.status, Array.isArray(answer.body.detail)]).toEqual([422, true]);
    }
    bench.state.safeBalanceBase = 0n;
    const empty = await post(WITHDRAW, withdrawal);
    expect([empty.status, empty.body.code]).toEqual([409, "insufficient_funds"]);
    await bench.sql`update fiat_pools set total_minor = 99999`;
    const dry = await post(WITHDRAW, withdrawal);
    expect([dry.status, dry.body.code]).toEqual([409, "insufficient_liquidity"]);
  });
});

describe("a cancellation", () => {
  it("answers 200 with the order as it is from then on, a repeat the same, and 409 once something has moved", async () => {
    for (const [path, body, key] of [
      [WITHDRAW, withdrawal, "withdrawals"],
      [TOPUP, topup, "topups"],
    ] as const) {
      const made = await post(path, body);
      const cancel = (by = apiKey, sent: unknown = undefined) =>
        stage.call("POST", `${path}/${made.body.id}/cancel`, { apiKey: by, ...(sent === undefined ? {} : { body: sent }) });
      const other = await issueKey(stage.ctx, { partnerId: (await addPartner(bench.db)).partnerId });
      expect([(await cancel(other.apiKey)).status, (await cancel(operatorKey)).status]).toEqual([404, 403]);
      expect((await cancel(apiKey, { more: 1 })).status).toBe(422);
      const done = await cancel(apiKey, {});
      const times = { cancelled_at: expect.any(String), updated_at: expect.any(String) };
      expect([done.status, done.body]).toEqual([
        200,
        { ...made.body, status: "failed", failure_reason: "The partner cancelled it.", ...times },
      ]);
      expect(await cancel()).toMatchObject({ status: 200, body: done.body });
      expect((await stage.call("GET", `${path}/${made.body.id}`, { apiKey })).body).toEqual(done.body);
      const moved = await post(path, { ...body, external_id: "order-2" });
      await runOrdersOnce(bench.newEngine(), key);
      if (key === "withdrawals") await bench.endTransfer("sweep", String(moved.body.id), { txHash: "0xaa" });
      const late = await stage.call("POST", `${path}/${moved.body.id}/cancel`, { apiKey });
      const order_status = key === "topups" ? "pending" : "processing";
      expect([late.status, late.body]).toMatchObject([409, { code: "invalid_state", order_status }]);
    }
  });
});

describe("Get Withdraw Fiat Pool Info", () => {
  it("shows what is reserved until the provider has settled", async () => {
    await post(WITHDRAW, withdrawal);
    for (const key of [apiKey, operatorKey]) {
      const answer = await stage.call("GET", `${WITHDRAW}/pool`, { apiKey: key });
      expect(answer.body).toEqual([
        { currency: "KES", total: 1_000_000, reserved: 100_000, available: 900_000, minimum: 1_000, maximum: 500_000 },
      ]);
    }
  });
});

describe("Get Withdraw Fiat Pool Info, once the ledger was added up", () => {
  it("shows a partner what it shows the operator", async () => {
    await post(WITHDRAW, withdrawal);
    await bench.sql`
      insert into ledger_snapshots (before_id, account, partner_id, currency, chain, decimals, amount)
      select 'le_zzzzzzzzzzzzzzzzzzzzzzzzzz', account, partner_id, currency, chain, decimals, sum(amount) from ledger_postings
      where phase = 'posted' group by 2, 3, 4, 5, 6`;
    // One of the sums is the partner's own, as after its first order.
    await bench.sql`
      insert into ledger_snapshots (before_id, account, partner_id, currency, chain, decimals, amount)
      select before_id, account, ${bench.partner.partnerId}, currency, chain, decimals, 0 from ledger_snapshots limit 1`;
    const answers = await Promise.all([apiKey, operatorKey].map((key) => stage.call("GET", `${WITHDRAW}/pool`, { apiKey: key })));
    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => [{ currency: "KES", total: 1_000_000, reserved: 100_000, available: 900_000, minimum: 1_000, maximum: 500_000 }]),
    );
  });
});

describe("Topup Fiat", () => {
  it("answers 201 with all its fields and how to pay, a repeat 200, another request 409", async () => {
    const made = await post(TOPUP, { ...topup, metadata: { invoice: "INV-7" } });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^tu_[0-9a-z]{26}$/),
        status: "pending",
        wallet_address: MEMBER_SAFE,
        exchange_rate: 0.0077,
        fee: 1_500,
        destination_amount: 7.5845,
        payment: { reference: made.body.id, instructions: expect.stringContaining("KES 1000.00") },
        tx_hash: null,
        provider_reference: null,
        failure_reason: null,
        callback_url: null,
        expires_at: new Date(Date.parse(made.body.created_at) + 86_400_000).toISOString(),
        metadata: { invoice: "INV-7" },
        rate_unit: "USDT per KES",
        paid_late_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        completed_at: null,
        cancelled_at: null,
        ...topup,
      },
    ]);
    expect((await post(TOPUP, { ...topup, metadata: { invoice: "INV-7" } })).status).toBe(200);
    await bench.addMember(bench.partner, { externalUserId: "waiting", walletAddress: null, safeStatus: "deploying" });
    const tooEarly = await post(TOPUP, { ...topup, external_id: "order-2", external_user_id: "waiting" });
    expect([tooEarly.status, tooEarly.body]).toEqual([
      409,
      { code: "conflict", safe_status: "deploying", detail: expect.any(String), request_id: expect.stringMatching(/^req_/) },
    ]);
    expect((await post(TOPUP, { ...topup, amount: 1_000 })).status).toBe(409);
    expect((await stage.call("GET", `${TOPUP}/${made.body.id}`, { apiKey })).body).toEqual(made.body);
  });
});

describe("who may", () => {
  it("never another partner: 404 for its orders, an own one under the same external_id", async () => {
    const other = await addPartner(bench.db, { walletAddress: SAFE });
    const { apiKey: otherKey } = await issueKey(stage.ctx, { partnerId: other.partnerId });
    const mine = [await post(WITHDRAW, withdrawal), await post(TOPUP, topup)];
    for (const [index, target] of [WITHDRAW, TOPUP].entries()) {
      const path = `${target}/${mine[index]?.body.id}`;
      expect((await stage.call("GET", path, { apiKey: otherKey })).status).toBe(404);
      expect((await stage.call("GET", path, { apiKey: operatorKey })).status).toBe(200);
      expect((await stage.call("GET", path)).status).toBe(401);
    }
    expect((await stage.call("POST", WITHDRAW, { apiKey: otherKey, body: withdrawal })).status).toBe(201);
    expect((await stage.call("POST", TOPUP, { apiKey: otherKey, body: topup })).status).toBe(404);
  });

  it("request: a partner's key that may write, and no operator", async () => {
    const { apiKey: reader } = await issueKey(stage.ctx, { partnerId: bench.partner.partnerId, scopes: ["partner:read"] });
    for (const [key, code] of [
      [reader, "scope_missing"],
      [operatorKey, "forbidden"],
    ]) {
      const answer = await stage.call("POST", WITHDRAW, { apiKey: key ?? "", body: withdrawal });
      expect([answer.status, answer.body.code]).toEqual([403, code]);
    }
  });
});

describe("the provider's calls", () => {
  const word = (order_id: string, more: object = {}) =>
    JSON.stringify({ order_id, reference: "R-1", status: "succeeded", reason: null, ...more });

  it("are taken on their signature over the raw bytes alone: applied, repeated or contradicting, 200", async () => {
    const { body } = await post(TOPUP, topup);
    // Spaces, order and additional fields are up to the provider; the signature covers the raw bytes.
    const odd = ` { "status": "succeeded","extra":[1] ,"order_id":"${body.id}", "reference":"R-1" } `;
    for (const text of [odd, odd, word(body.id, { status: "failed" }), word(body.id, { reference: "R-2" })]) {
      const answer = await fromProvider(TOPUP, text);
      expect([answer.status, answer.body]).toEqual([200, { received: true }]);
    }
    expect((await stage.call("GET", `${TOPUP}/${body.id}`, { apiKey })).body).toMatchObject({
      status: "processing",
      provider_reference: "R-1",
    });
    const events = await bench.sql`select effect, body from provider_events order by id`;
    expect(events.map(({ effect }) => effect)).toEqual(["applied", "repeated", "contradicted", "contradicted"]);
    expect(events[0]?.body).toBe(odd);
  });

  it("with a signature that is missing, of other bytes or of another secret are 401, and leave no trace", async () => {
    const { body } = await post(TOPUP, topup);
    const text = word(body.id);
    const bad = [null, "", "00", railSignature("another secret", text), railSignature(TEST_RAIL_SECRET, `${text} `)];
    for (const signature of bad) expect((await fromProvider(TOPUP, text, signature)).status).toBe(401);
    // A key does not replace a signature.
    expect((await stage.call("POST", `${TOPUP}/callback`, { apiKey, body: text })).status).toBe(401);
    expect(await bench.sql`select 1 from provider_events`).toHaveLength(0);
    const upper = railSignature(TEST_RAIL_SECRET, text).toUpperCase();
    expect((await fromProvider(TOPUP, text, upper)).status).toBe(200);
  });

  it("about an unknown order, or at the other's address, are 404; malformed ones 400 and 422", async () => {
    const { body } = await post(WITHDRAW, withdrawal);
    expect((await fromProvider(WITHDRAW, word("wd_00000000000000000000000000"))).status).toBe(404);
    expect((await fromProvider(TOPUP, word(body.id))).status).toBe(404);
    expect((await fromProvider(WITHDRAW, word("'; drop table withdrawals"))).status).toBe(404);
    expect((await fromProvider(WITHDRAW, "{")).status).toBe(400);
    expect((await fromProvider(WITHDRAW, word(body.id, { status: "maybe" }))).status).toBe(422);
    expect((await fromProvider(WITHDRAW, "{}")).status).toBe(422);
  });

  it("end a withdrawal only once its sweep is final", async () => {
    const { body } = await post(WITHDRAW, withdrawal);
    const engine = bench.newEngine();
    await fromProvider(WITHDRAW, word(body.id));
    expect((await stage.call("GET", `${WITHDRAW}/${body.id}`, { apiKey })).body.status).toBe("pending");
    await runOrdersOnce(engine, "withdrawals");
    await fromProvider(WITHDRAW, word(body.id));
    expect((await stage.call("GET", `${WITHDRAW}/${body.id}`, { apiKey })).body).toMatchObject({ status: "processing", tx_hash: null });
    await bench.endTransfer("sweep", body.id, { txHash: "0xaa" });
    await fromProvider(WITHDRAW, word(body.id));
    expect((await stage.call("GET", `${WITHDRAW}/${body.id}`, { apiKey })).body).toMatchObject({
      status: "completed",
      tx_hash: "0xaa",
      provider_reference: "R-1",
      completed_at: expect.any(String),
    });
  });
});

import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settlements } from "#db/schema/settlements.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { batchItem, batchOf, signedCalls, WALLET } from "#testing/batches.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate } from "#testing/factories.ts";
import { issueKey, testContext, testSurfaceContext } from "#testing/surface.ts";

/** Contract, part 11: making, estimating and reading batches. */

const BATCHES = "/api/v1/settlement-batches";
const BATCH_MAXIMUM = 200_000_000n;

let database: TestDatabase;
let partner: IssuedApiKey;
let call: ReturnType<typeof signedCalls>;
let other: ReturnType<typeof signedCalls>;

beforeAll(async () => {
  database = await createTestDatabase();
  const ctx = testContext(database.db);
  const judge = async (url: string) =>
    url.includes("forbidden") ? ({ verdict: "forbidden", reason: "The host is private." } as const) : ({ verdict: "allowed" } as const);
  const surfaceContext = testSurfaceContext({ ...ctx, callbacks: { ...ctx.callbacks, judge } });
  partner = await issueKey(ctx);
  call = signedCalls(surfaceContext, partner);
  other = signedCalls(surfaceContext, await issueKey(ctx));
  await addTerms(database.db, { batchMaximumSourceMinor: BATCH_MAXIMUM });
  await addTerms(database.db, { sourceCurrency: "USD", destinationCurrency: "USDC" });
  await setRate(database.db, "0.0077");
  await setRate(database.db, "1", { sourceCurrency: "USD", destinationCurrency: "USDC" });
});
afterAll(async () => {
  await expectCleanAudit({ db: database.db });
  await database.close();
});

/** How many rows each table has. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = [
    "settlement_batches",
    "settlements",
    "settlement_quotes",
    "audit_entries",
    "approval_demands",
    "payment_verdicts",
    "callbacks",
  ];
  const counts = tables.map(async (table) => {
    const [row] = await database.db.execute<{ count: number }>(sql`select count(*)::int as count from ${sql.identifier(table)}`);
    return [table, row?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** The answer to what stores nothing. */
async function storingNothing(work: () => ReturnType<typeof call>) {
  const before = await rowCounts();
  const answer = await work();
  expect(await rowCounts()).toEqual(before);
  return answer;
}

const places = (body: Record<string, unknown>) =>
  (body.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`);

describe("a new batch", () => {
  it("answers its items in their order, each an ordinary settlement, and what they come to", async () => {
    const items = [batchItem(), batchItem({ source_amount: 200_000 }), batchItem({ source_currency: "USD", destination_currency: "USDC" })];
    const made = await call("POST", BATCHES, batchOf(items, { callback_url: "https://example.com/batch" }));
    expect(made.status).toBe(201);
    expect(made.headers.Location).toBe(`${BATCHES}/${made.body.batch_id}`);
    expect(made.body).toMatchObject({
      batch_id: expect.stringMatching(/^ba_[0-9a-z]{26}$/),
      status: "quoted",
      approval_state: null,
      item_count: 3,
      confirmed_at: null,
      completed_at: null,
      counts: { quoted: 3, processing: 0, executed: 0, failed: 0, cancelled: 0 },
      callback_url: "https://example.com/batch",
      totals: [
        { source_currency: "KES", source_amount: 300_000, destination_currency: "USDT", destination_amount: 22.1, platform_fee: 1 },
        { source_currency: "USD", source_amount: 100_000, destination_currency: "USDC", destination_amount: 999.5, platform_fee: 0.5 },
      ],
      items: items.map((item) => ({ ...item, batch_id: made.body.batch_id, status: "quoted", callback_url: null })),
    });
    const { items: _, ...batch } = made.body;
    expect((await call("GET", `${BATCHES}/${made.body.batch_id}`)).body).toEqual(batch);
    const listed = await call("GET", `/api/v1/settlements?batch_id=${made.body.batch_id}`);
    expect((listed.body.data as unknown[]).toReversed()).toEqual(made.body.items);
  });

  it("waits as one where an item is above the maximum, or its pair's items together above that of a batch", async () => {
    const [one, two] = [await call("POST", BATCHES, batchOf([batchItem(), batchItem({ source_amount: 100_000_001 })])), batchOf(2)];
    expect(one.body).toMatchObject({ approval_state: "pending", items: [{ approval_state: "pending" }, { approval_state: "pending" }] });
    const half = { source_amount: Number(BATCH_MAXIMUM / 2n) };
    const at = batchOf([batchItem(half), batchItem(half)]);
    expect((await call("POST", BATCHES, at)).body).toMatchObject({ approval_state: null });
    const above = batchOf([batchItem(half), batchItem(half), batchItem()]);
    expect((await call("POST", BATCHES, above)).body).toMatchObject({ approval_state: "pending" });
    expect((await call("POST", BATCHES, two)).body).toMatchObject({ approval_state: null });
  });

  it("has up to 500 items", async () => {
    const made = await call("POST", BATCHES, batchOf(500));
    expect(made).toMatchObject({ status: 201, body: { item_count: 500, counts: { quoted: 500 } } });
    expect(new Set((made.body.items as { tx_id: string }[]).map(({ tx_id }) => tx_id)).size).toBe(500);
  });
});

describe("a repeat", () => {
  it("of the same bytes answers what exists, of others a conflict", async () => {
    const body = JSON.stringify(batchOf(2));
    const first = await call("POST", BATCHES, body);
    const again = await storingNothing(() => call("POST", BATCHES, body));
    expect(again).toMatchObject({ status: 200, body: first.body, headers: { Location: first.headers.Location } });
    const others = await storingNothing(() => call("POST", BATCHES, `${body} `));
    expect(others).toMatchObject({ status: 409, body: { code: "external_batch_id_conflict", batch_id: first.body.batch_id } });
    expect((await other("POST", BATCHES, body)).status).toBe(201);
  });

  it("twenty times at once makes one batch", async () => {
    const body = JSON.stringify(batchOf(500));
    const answers = await Promise.all(Array.from({ length: 20 }, () => call("POST", BATCHES, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(new Set(answers.map(({ body: { batch_id } }) => batch_id)).size).toBe(1);
    const made = await database.db
      .select()
      .from(settlements)
      .where(eq(settlements.batchId, String(answers[0]?.body.batch_id)));
    expect(made).toHaveLength(500);
  });
});

describe("a batch with a fault", () => {
  const refused: [string, () => object, string, string[]][] = [
    ["no item", () => batchOf(0), "validation_failed", ["/items too_small"]],
    ["501 items", () => batchOf(501), "validation_failed", ["/items too_large"]],
    [
      "no reference of its own",
      () => ({ ...batchOf(1), external_batch_id: undefined }),
      "validation_failed",
      ["/external_batch_id required"],
    ],
    [
      "an item without a reference",
      () => batchOf([batchItem({ external_tx_id: undefined })]),
      "validation_failed",
      ["/items/0/external_tx_id required"],
    ],
    [
      "an item with a field of another",
      () => batchOf([batchItem({ external_user_id: "u" })]),
      "validation_failed",
      ["/items/0/external_user_id unknown"],
    ],
    [
      "a wrong wallet",
      () => batchOf([batchItem(), batchItem({ wallet_address: "0x1" })]),
      "invalid_wallet_address",
      ["/items/1/wallet_address invalid_wallet_address"],
    ],
    [
      "too small an amount",
      () => batchOf([batchItem({ source_amount: 99 })]),
      "amount_too_small",
      ["/items/0/source_amount amount_too_small"],
    ],
    ["an unknown chain", () => batchOf([batchItem({ chain: "eip155:5" })]), "unsupported_chain", ["/items/0/chain unsupported_chain"]],
    [
      "an unknown currency",
      () => batchOf([batchItem({ destination_currency: "DOGE" })]),
      "unsupported_pair",
      ["/items/0/destination_currency unsupported_pair"],
    ],
    [
      "a forbidden URL",
      () => batchOf([batchItem({ callback_url: "https://forbidden" })]),
      "callback_url_not_allowed",
      ["/items/0/callback_url callback_url_not_allowed"],
    ],
    [
      "a forbidden URL of its own",
      () => batchOf(1, { callback_url: "https://forbidden" }),
      "callback_url_not_allowed",
      ["/callback_url callback_url_not_allowed"],
    ],
    [
      "faults of several kinds",
      () => batchOf([batchItem({ wallet_address: "0x1" }), batchItem(), batchItem({ source_amount: 99 })]),
      "validation_failed",
      ["/items/0/wallet_address invalid_wallet_address", "/items/2/source_amount amount_too_small"],
    ],
    [
      "a reference twice",
      () => batchOf([batchItem({ external_tx_id: "twice" }), batchItem(), batchItem({ external_tx_id: "twice" })]),
      "validation_failed",
      ["/items/0/external_tx_id repeated", "/items/2/external_tx_id repeated"],
    ],
  ];
  it.each(refused)("(%s) is refused whole, with the place", async (_what, body, code, errors) => {
    const answer = await storingNothing(() => call("POST", BATCHES, body()));
    expect(answer).toMatchObject({ status: 422, body: { code } });
    expect(places(answer.body)).toEqual(errors);
  });

  it("in its last item stores nothing", async () => {
    const items = Array.from({ length: 500 }, (_, index) => batchItem(index === 499 ? { wallet_address: "0x1" } : {}));
    const answer = await storingNothing(() => call("POST", BATCHES, batchOf(items)));
    expect(places(answer.body)).toEqual(["/items/499/wallet_address invalid_wallet_address"]);
  });

  it("in each of 500 items names them all", async () => {
    const items = Array.from({ length: 500 }, () => batchItem({ wallet_address: "0x1" }));
    expect(places((await call("POST", BATCHES, batchOf(items))).body)).toHaveLength(500);
  });

  it("names a reference that another settlement has, and none of another partner's", async () => {
    const reference = randomUUID();
    expect((await other("POST", BATCHES, batchOf([batchItem({ external_tx_id: reference })]))).status).toBe(201);
    const mine = batchOf([batchItem({ external_tx_id: reference })]);
    expect((await call("POST", BATCHES, mine)).status).toBe(201);
    const again = await storingNothing(() => call("POST", BATCHES, batchOf([batchItem(), batchItem({ external_tx_id: reference })])));
    expect(again).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(places(again.body)).toEqual(["/items/1/external_tx_id external_tx_id_conflict"]);
  });

  it("pays to a wallet of another partner's member as to any other, and says nothing of it", async () => {
    const made = await call("POST", BATCHES, batchOf([batchItem({ wallet_address: WALLET })]));
    expect(made.status).toBe(201);
  });

  it("has a body of up to 512 KiB", async () => {
    const body = JSON.stringify(batchOf(1));
    const padded = (bytes: number) => body + " ".repeat(bytes - body.length);
    expect((await call("POST", BATCHES, padded(512 * 1_024))).status).toBe(201);
    const longer = await storingNothing(() => call("POST", BATCHES, padded(512 * 1_024 + 1)));
    expect(longer).toMatchObject({ status: 413, body: { code: "body_too_large" } });
    expect(await call("POST", "/api/v1/settlements", padded(64 * 1_024 + 1))).toMatchObject({ status: 413 });
  });

  it("is refused for a while where its sum cannot be paid, or has no rate", async () => {
    await addTerms(database.db, { sourceCurrency: "EUR" });
    const answer = await storingNothing(() => call("POST", BATCHES, batchOf([batchItem(), batchItem({ source_currency: "EUR" })])));
    expect(answer).toMatchObject({ status: 503, body: { code: "rate_unavailable" } });
  });
});

describe("an estimate", () => {
  it("says what the batch would be, and stores nothing", async () => {
    const items = [batchItem({ external_tx_id: undefined }), batchItem()];
    const answer = await storingNothing(() => call("POST", `${BATCHES}/estimate`, { items }));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        batch_id: null,
        status: "quoted",
        item_count: 2,
        totals: [{ source_amount: 200_000, destination_amount: 14.4 }],
        items: [{ tx_id: null }, {}],
      },
    });
    const wrong = await call("POST", `${BATCHES}/estimate`, { items: [batchItem({ wallet_address: "0x1" })] });
    expect(wrong).toMatchObject({ status: 422, body: { code: "invalid_wallet_address" } });
  });
});

describe("reading", () => {
  it("finds a batch by its name, in pages, and no other partner's", async () => {
    const body = batchOf(1);
    const made = await call("POST", BATCHES, body);
    const found = await call("GET", `${BATCHES}?external_batch_id=${body.external_batch_id}`);
    expect(found.body).toMatchObject({ data: [{ batch_id: made.body.batch_id }], next_cursor: null });
    expect(found.body.data).not.toHaveProperty("0.items");
    const first = await call("GET", `${BATCHES}?limit=1&status=quoted`);
    const second = await call("GET", `${BATCHES}?limit=1&status=quoted&cursor=${first.body.next_cursor}`);
    expect(first.body.data).toMatchObject([{ batch_id: made.body.batch_id }]);
    expect(second.body.data).not.toEqual(first.body.data);
    expect((await other("GET", `${BATCHES}?external_batch_id=${body.external_batch_id}`)).body.data).toEqual([]);
    for (const id of [String(made.body.batch_id), "ba_nothing", "tx_nothing"]) {
      expect(await other("GET", `${BATCHES}/${id}`)).toMatchObject({ status: 404, body: { code: "batch_not_found" } });
    }
    expect(await call("GET", `${BATCHES}?status=executed`)).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(await call("GET", `${BATCHES}?cursor=x`)).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  });
});

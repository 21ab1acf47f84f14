import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataOf } from "#domain/kept-event.ts";
import { executeSettlements } from "#server/services/settlements/execute-settlement.ts";
import { failSettlement } from "#server/services/settlements/fail-settlement.ts";
import { batchItem, batchOf, signedCalls, WALLET } from "#testing/batches.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setClockOffset, setRate } from "#testing/factories.ts";
import { issueKey, testContext, testSurfaceContext } from "#testing/surface.ts";

/** What a partner notes on its records, and how it finds what has changed without events. */

const LIST = "/api/v1/settlements";
const OTHER_WALLET = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
let database: TestDatabase;
let call: ReturnType<typeof signedCalls>;
let other: ReturnType<typeof signedCalls>;

beforeAll(async () => {
  database = await createTestDatabase();
  const ctx = testContext(database.db);
  const surfaceContext = testSurfaceContext(ctx);
  call = signedCalls(surfaceContext, await issueKey(ctx));
  other = signedCalls(surfaceContext, await issueKey(ctx));
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
});
afterAll(() => database.close());

async function create(values: Record<string, unknown> = {}, as = call): Promise<Record<string, unknown>> {
  const { external_tx_id: _, ...item } = batchItem(values);
  const { status, body } = await as("POST", LIST, item);
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
}

const get = async (id: unknown) => (await call("GET", `${LIST}/${id}`)).body;
const confirm = (id: unknown) =>
  call("POST", `${LIST}/${id}/confirm`, { external_tx_id: `ref-${id}`, callback_url: "https://partner.example/hook" });
const listed = async (query: string) => {
  const { status, body } = await call("GET", `${LIST}?${query}`);
  expect([status, body.code]).toEqual([200, undefined]);
  return (body.data as { tx_id: string }[]).map(({ tx_id }) => tx_id);
};
const NOTES = { invoice: "INV-7", "käse order": "ünï\ncode", empty: "" };

describe("metadata", () => {
  it("of a settlement, a batch and its items is echoed everywhere but in the settlement's callbacks, and changes with nothing", async () => {
    const made = await create({ metadata: NOTES });
    expect(made.metadata).toEqual(NOTES);
    expect((await confirm(made.tx_id)).body.metadata).toEqual(NOTES);
    await database.db.transaction((tx) => executeSettlements(tx, [{ settlementId: String(made.tx_id), txHash: "0x01" }]));
    expect((await get(made.tx_id)).metadata).toEqual(NOTES);
    expect((await create()).metadata).toEqual({});
    const batch = await call(
      "POST",
      "/api/v1/settlement-batches",
      batchOf([batchItem({ metadata: NOTES }), batchItem()], { metadata: { run: "7" } }),
    );
    expect([batch.status, batch.body.metadata]).toEqual([201, { run: "7" }]);
    expect((batch.body.items as Record<string, unknown>[]).map(({ metadata }) => metadata)).toEqual([NOTES, {}]);
    expect((await call("GET", `/api/v1/settlement-batches/${batch.body.batch_id}`)).body.metadata).toEqual({ run: "7" });
    const events = await database.sql`select data from events where object_id = ${String(made.tx_id)} order by version`;
    expect(events.map((event) => dataOf(event.data))).toEqual(
      ["quoted", "processing", "executed"].map((status) => expect.objectContaining({ status, metadata: NOTES })),
    );
    // By places: names are more than half of an event.
    expect(events.map((event) => Array.isArray(event.data))).toEqual([true, true, true]);
    const [callback] = await database.sql`select body from callbacks where subject_id = ${String(made.tx_id)}`;
    expect(JSON.parse(callback?.body)).not.toHaveProperty("metadata");
  });

  it("has at most 20 names of 40 characters, with texts of 500, and stores nothing otherwise", async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${index}`, "x".repeat(500)]));
    expect((await create({ metadata: many(20) })).metadata).toEqual(many(20));
    const [before] = await database.sql`select count(*)::int as count from settlements`;
    for (const metadata of [
      many(21),
      { a: "x".repeat(501) },
      { ["n".repeat(41)]: "" },
      { a: 1 },
      { a: null },
      { a: { b: "c" } },
      [],
      "a",
      null,
    ]) {
      const { external_tx_id: _, ...item } = batchItem({ metadata });
      const { status, body } = await call("POST", LIST, item);
      expect([status, body.code], JSON.stringify(metadata)).toEqual([422, "validation_failed"]);
      expect((body.errors as { pointer: string }[])[0]?.pointer).toMatch(/^\/metadata/);
    }
    expect((await database.sql`select count(*)::int as count from settlements`)[0]).toEqual(before);
  });
});

describe("what has changed", () => {
  it("is said by updated_at and failed_at, and listed by them, by several statuses, by wallet and by hash; never another partner's", async () => {
    const wallet = OTHER_WALLET.toLowerCase();
    const [paid, failed, quiet] = [
      await create({ wallet_address: wallet }),
      await create({ wallet_address: wallet }),
      await create({ wallet_address: wallet }),
    ];
    await create({ wallet_address: wallet }, other);
    expect([quiet.updated_at, quiet.rate_unit, quiet.failed_at]).toEqual([quiet.created_at, "USDT per KES", undefined]);
    for (const { tx_id } of [paid, failed]) await confirm(tx_id);
    expect((await get(paid.tx_id)).updated_at).toBe((await get(paid.tx_id)).confirmed_at);
    await setClockOffset(database.db, 60_000);
    await database.db.transaction((tx) => executeSettlements(tx, [{ settlementId: String(paid.tx_id), txHash: "0xAB".toLowerCase() }]));
    await database.db.transaction((tx) => failSettlement(tx, { settlementId: String(failed.tx_id), reason: "No." }));
    const [now, end] = [await get(paid.tx_id), await get(failed.tx_id)];
    expect(now.updated_at).toBe(now.executed_at);
    expect([end.failed_at, now.failed_at]).toEqual([end.updated_at, undefined]);

    expect(await listed(`wallet_address=${OTHER_WALLET}`)).toEqual([quiet.tx_id, failed.tx_id, paid.tx_id]);
    expect(await listed("tx_hash=0xAB")).toEqual([paid.tx_id]);
    expect(await listed(`wallet_address=${OTHER_WALLET}&statuses=executed,failed`)).toEqual([failed.tx_id, paid.tx_id]);
    expect(await listed(`wallet_address=${OTHER_WALLET}&statuses=executed,failed&status=failed`)).toEqual([failed.tx_id]);
    expect(await listed(`updated_from=${now.updated_at}`)).toEqual([failed.tx_id, paid.tx_id]);
    expect(await listed(`updated_from=${now.updated_at}&updated_to=${end.updated_at}`)).toEqual([paid.tx_id]);
    expect(await listed(`wallet_address=${OTHER_WALLET}&updated_to=${now.updated_at}`)).toEqual([quiet.tx_id]);
    expect(await listed(`wallet_address=${WALLET}&tx_hash=0xab`)).toEqual([]);
    for (const query of [
      "statuses=",
      "statuses=executed,",
      "statuses=expired",
      "updated_from=yesterday",
      "wallet_address=",
      "status=executed,failed",
    ])
      expect((await call("GET", `${LIST}?${query}`)).status, query).toBe(422);
  });
});

import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKeys } from "#db/schema/api-keys.ts";
import { parseCsv } from "#domain/csv.ts";
import { type PaymentRow, partsOf } from "#domain/payment-file.ts";
import type { Context } from "#server/context.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { openApiLog } from "#server/services/access/log-api-requests.ts";
import { batchItem, batchOf, signedCalls, WALLET } from "#testing/batches.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { consoleParts, consoleRequest, sessionOf, TEST_CONSOLE_SETTINGS } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { addPerson, type TestPerson } from "#testing/people.ts";
import { issueKey, testContext, testSurfaceContext } from "#testing/surface.ts";
import { handleExport } from "./handle-export.ts";
import { appRouter } from "./router.ts";
import { liveHub } from "./trpc/live-hub.ts";

/** Files of payments in the console: what becomes of their rows in the database. */

let database: TestDatabase;
let ctx: Context;
let key: IssuedApiKey;
let [owner, other]: TestPerson[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
  key = await issueKey(ctx);
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  owner = await addPerson(database.db, "owner", key.partnerId);
  other = await addPerson(database.db, "owner", key.partnerId, { createdAt: new Date(Date.now() - 2 * 86_400_000) });
});
afterAll(async () => {
  await expectCleanAudit({ db: database.db });
  await database.close();
});

function callerOf(person: TestPerson | undefined, mode: Context["mode"] = "sandbox") {
  if (person === undefined) throw new Error("nobody");
  const { actor, proof } = person.by;
  const now = new Date();
  const session = {
    sessionId: randomUUID(),
    sidHash: randomUUID(),
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
    viewedBy: null,
    hasTotp: true,
    hasPasskey: true,
    provenByProvider: false,
  };
  const steps = { steppedUpAt: proof?.at ?? null, steppedUpByCode: false };
  const holder = {
    ...session,
    ...steps,
    userId: person.id,
    email: person.email,
    name: "Ola",
    role: actor.role,
    partnerId: actor.partnerId,
    partnerName: "Ours",
  };
  const services = { ...ctx, mode };
  const fixed = { ending: new AbortController().signal, requestId: null, lapsesAt: null, address: "10.1.1.1" };
  return appRouter.createCaller({
    ...fixed,
    services,
    live: liveHub(services),
    apiLog: openApiLog(services),
    holder,
    readHolder: async () => holder,
    renewCookie: async () => {},
    settings: TEST_CONSOLE_SETTINGS,
  });
}

const row = (values: Partial<PaymentRow> = {}): PaymentRow => ({
  external_tx_id: randomUUID(),
  external_merchant_id: "m-1",
  amount: "1000.50",
  source_currency: "KES",
  destination_currency: "USDT",
  chain: TEST_CHAIN.chain,
  wallet_address: WALLET,
  ...values,
});
const fileOf = (rows: PaymentRow[], values: { name?: string; part?: number; parts?: number; key_id?: string } = {}) => ({
  key_id: key.id,
  name: randomUUID(),
  part: 0,
  parts: 1,
  rows,
  ...values,
});
const madeOf = async (file: ReturnType<typeof fileOf>) => {
  const { batch_id } = await callerOf(owner).batches.create(file);
  if (batch_id === null) throw new Error("the batch has faults");
  const [batch] = (await callerOf(owner).batches.byIds({ batch_ids: [batch_id] })).data;
  if (batch === undefined) throw new Error("there is no batch");
  return batch;
};
async function count(table: string): Promise<number> {
  const [found] = await database.db.execute<{ count: number }>(sql`select count(*)::int as count from ${sql.identifier(table)}`);
  return found?.count ?? 0;
}

describe("a file of payments", () => {
  it("has each fault named by row and column, its own and those that a create would have had; nothing is stored", async () => {
    const before = await count("settlements");
    const taken = row();
    await madeOf(fileOf([taken]));
    const file = fileOf([
      row(),
      row({ amount: "1,000" }),
      row({ amount: "0" }),
      row({ amount: "10.005" }),
      row({ source_currency: "KSH" }),
      row({ external_tx_id: "" }),
      row({ external_merchant_id: "\u0000" }),
      row({ wallet_address: "0x12" }),
      row({ chain: "mainnet" }),
      row({ destination_currency: "DOGE" }),
      taken,
      row({ external_tx_id: "=1+1", external_merchant_id: "@SUM(A1)" }),
    ]);
    const { faults, made, totals } = await callerOf(owner).batches.judge(file);
    expect(faults.map(({ row: place, column }) => `${place} ${column}`).toSorted()).toEqual(
      [
        "1 amount",
        "10 external_tx_id",
        "2 amount",
        "3 amount",
        "4 source_currency",
        "5 external_tx_id",
        "6 external_merchant_id",
        "7 wallet_address",
        "8 chain",
        "9 null",
      ].toSorted(),
    );
    expect({ made, totals }).toEqual({ made: null, totals: [] });
    expect((await callerOf(owner).batches.create(file)).batch_id).toBeNull();
    expect(await count("settlements")).toBe(before + 1);
  });

  it("becomes batches of its rows in their order; a repeat of the same file makes nothing, another file of that name is refused", async () => {
    const rows = Array.from({ length: 501 }, (_, index) => row({ amount: `${index + 1}00.00` }));
    const name = randomUUID();
    const files = partsOf(rows).map((part, index) => fileOf(part, { name, part: index, parts: 2 }));
    const [first, second] = files;
    if (first === undefined || second === undefined) throw new Error("there are two parts");
    expect((await callerOf(owner).batches.judge(second)).totals).toMatchObject([{ source_currency: "KES", source_amount: "50100.00" }]);
    const [one, two] = [await madeOf(first), await madeOf(second)];
    expect([one.external_batch_id, one.item_count, two.item_count]).toEqual([`${name} 1/2`, 500, 1]);
    const before = await count("settlements");
    const again = await Promise.all([callerOf(owner).batches.create(first), callerOf(other).batches.create(first)]);
    expect(again).toMatchObject([{ batch_id: one.batch_id }, { batch_id: one.batch_id }]);
    expect((await callerOf(owner).batches.judge(first)).made).toBe(one.batch_id);
    expect((await callerOf(owner).batches.judge({ ...first, rows: [row()] })).faults).toMatchObject([{ row: 0, column: null }]);
    await expect(callerOf(owner).batches.create({ ...first, rows: [row()] })).rejects.toMatchObject({
      cause: { code: "external_batch_id_conflict" },
    });
    expect(await count("settlements")).toBe(before);
    const results = await resultsOf([one.batch_id, two.batch_id]);
    expect(results.slice(1).map(([reference]) => reference)).toEqual(rows.map(({ external_tx_id }) => external_tx_id));
  });

  it("of 10,000 rows becomes twenty batches of 500, and its results have the order of the rows", async () => {
    const rows = Array.from({ length: 10_000 }, () => row());
    const parts = partsOf(rows);
    const name = randomUUID();
    const ids: string[] = [];
    for (const [part, some] of parts.entries()) {
      const file = fileOf([...some], { name, part, parts: parts.length });
      expect((await callerOf(owner).batches.judge(file)).faults).toEqual([]);
      ids.push((await madeOf(file)).batch_id);
    }
    expect(ids).toHaveLength(20);
    const shown = await callerOf(owner).batches.byIds({ batch_ids: ids });
    expect(shown.data.map(({ external_batch_id, item_count }) => [external_batch_id, item_count])).toEqual(
      ids.map((_, part) => [`${name} ${part + 1}/20`, 500]),
    );
    const [, ...results] = await resultsOf(ids);
    expect(results.map(([reference]) => reference)).toEqual(rows.map(({ external_tx_id }) => external_tx_id));
    // It judges no speed: on Citus a busy machine has taken more than two minutes.
  }, 600_000);

  it("is made under a key of the partner that may: not another's, not one that ended, not one that only reads", async () => {
    const foreign = await issueKey(ctx);
    const reads = await issueKey(ctx, { partnerId: key.partnerId, scopes: ["settlements:read"] });
    const ended = await issueKey(ctx, { partnerId: key.partnerId });
    await database.db.update(apiKeys).set({ revokedAt: new Date() }).where(sql`id = ${ended.id}`);
    const before = await count("settlement_batches");
    const codes = await Promise.all(
      [foreign, reads, ended].map(async ({ id }) =>
        callerOf(owner)
          .batches.create(fileOf([row()], { key_id: id }))
          .catch((error) => error.cause.code),
      ),
    );
    expect(codes).toEqual(["not_found", "scope_missing", "revoked_api_key"]);
    expect(await count("settlement_batches")).toBe(before);
    expect((await callerOf(owner).batches.keys()).data.map(({ id }) => id)).toEqual([key.id]);
  });
});

describe("a batch that was made in the console", () => {
  it("is confirmed in live mode by another person than its maker, at the sum that they saw, once", async () => {
    const batch = await madeOf(fileOf([row(), row()]));
    const confirm = { batch_id: batch.batch_id, expected_total: batch.expected_total };
    const before = await count("transfers");
    await expect(callerOf(owner, "live").batches.confirm(confirm)).rejects.toMatchObject({ cause: { code: "same_person" } });
    const [seen] = (await callerOf(owner, "live").batches.byIds({ batch_ids: [batch.batch_id] })).data;
    expect(seen?.obstacle).toBe("made_by_you");
    // An owner invites another one alone.
    const invited = await addPerson(database.db, "owner", key.partnerId);
    await expect(callerOf(invited, "live").batches.confirm(confirm)).rejects.toMatchObject({ cause: { code: "same_approver" } });
    await expect(callerOf(other, "live").batches.confirm({ ...confirm, expected_total: { USDT: "1" } })).rejects.toMatchObject({
      cause: { code: "quote_changed" },
    });
    expect(await count("transfers")).toBe(before);
    await Promise.all([callerOf(other, "live").batches.confirm(confirm), callerOf(other, "live").batches.confirm(confirm)]);
    expect(await count("transfers")).toBe(before + 2);
  });

  it("is not confirmed there where a program made it, and never by another partner's people", async () => {
    const call = signedCalls(testSurfaceContext(ctx), key);
    const made = await call("POST", "/api/v1/settlement-batches", batchOf(1, { callback_url: "https://example.com/b" }));
    const confirm = { batch_id: String(made.body.batch_id), expected_total: { USDT: "1" } };
    const before = await count("transfers");
    await expect(callerOf(owner).batches.confirm(confirm)).rejects.toMatchObject({ cause: { code: "forbidden" } });
    const stranger = await addPerson(database.db, "owner", (await issueKey(ctx)).partnerId);
    const theirs = callerOf(stranger);
    const batch_ids = [confirm.batch_id];
    for (const work of [
      () => theirs.batches.confirm(confirm),
      () => theirs.batches.byIds({ batch_ids }),
      () => theirs.batches.cancel({ batch_id: confirm.batch_id }),
    ])
      await expect(work()).rejects.toMatchObject({ cause: { code: "batch_not_found" } });
    expect((await theirs.batches.list({})).data).toEqual([]);
    expect(await count("transfers")).toBe(before);
  });
});

describe("the decision on a batch", () => {
  it("needs each warning acknowledged for as many items as it holds for; with one missing, nothing is decided", async () => {
    const call = signedCalls(testSurfaceContext(ctx), key);
    const wallets = ["0x8ba1f109551bD432803012645Ac136ddd64DBA72", "0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae"];
    const items = wallets.map((wallet_address) =>
      batchItem({ source_amount: 500_000_000, wallet_address, external_merchant_id: wallet_address }),
    );
    const made = await call("POST", "/api/v1/settlement-batches", batchOf(items, { callback_url: "https://example.com/b" }));
    expect(made.body).toMatchObject({ approval_state: "pending" });
    const batch_id = String(made.body.batch_id);
    const approver = callerOf(await addPerson(database.db, "approver", null));
    const [waiting] = (await approver.approvals.batches()).data.filter((each) => each.batch_id === batch_id);
    const seen = { batch_id, expected_total: waiting?.expected_total ?? {} };
    const callbacks = await count("callbacks");
    for (const acknowledged_hints of [{}, { first_wallet_use: 1 }, { wallet_changed: 2 }])
      await expect(approver.approvals.approveBatch({ ...seen, acknowledged_hints })).rejects.toMatchObject({
        cause: { code: "validation_failed", particulars: { members: { unacknowledged_hints: ["first_wallet_use"] } } },
      });
    expect((await approver.approvals.batches()).data.map((each) => each.batch_id)).toContain(batch_id);
    expect(await count("callbacks")).toBe(callbacks);
    const acknowledged_hints = { first_wallet_use: 2 };
    expect(await approver.approvals.approveBatch({ ...seen, acknowledged_hints })).toEqual({ approval_state: "approved" });
  });
});

async function resultsOf(batchIds: string[]): Promise<string[][]> {
  if (owner === undefined) throw new Error("nobody");
  const web = consoleParts(ctx, { callsPerSecond: 50, signInsPerSecond: 50 });
  const input = encodeURIComponent(JSON.stringify({ batch_ids: batchIds }));
  const response = await handleExport(
    "batches",
    web,
    consoleRequest(`/console/batches/export?input=${input}`),
    await sessionOf(ctx, owner),
  );
  return parseCsv(await response.text());
}

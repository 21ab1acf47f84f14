import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callbacks } from "#db/schema/callbacks.ts";
import { settlements } from "#db/schema/settlements.ts";
import { transfers } from "#db/schema/transfers.ts";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { listPendingBatches } from "#server/services/settlements/batches/list-pending-batches.ts";
import { executeSettlements } from "#server/services/settlements/execute-settlement.ts";
import { failSettlement } from "#server/services/settlements/fail-settlement.ts";
import { countApprovalQueue, listApprovals } from "#server/services/settlements/list-approvals.ts";
import { rejectOverdueSettlements } from "#server/services/settlements/reject-overdue-settlements.ts";
import { type Answer, batchItem, batchOf, signedCalls } from "#testing/batches.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setClockOffset, setRate } from "#testing/factories.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey, testSurfaceContext } from "#testing/surface.ts";

/** Contract, part 11: a batch is confirmed, cancelled, requoted and decided as one. */

const BATCHES = "/api/v1/settlement-batches";
const URL = "https://example.com/batch";
const ABOVE_MAXIMUM = 100_000_001;
const MINUTES = 60_000;
const MOST_ATTEMPTS = 10;

let database: TestDatabase;
let stage: PartnerStage;
let partner: IssuedApiKey;
let operator: IssuedApiKey;
let call: ReturnType<typeof signedCalls>;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  partner = await issueKey(stage.ctx);
  operator = await issueKey(stage.ctx, { partnerId: null });
  call = signedCalls(testSurfaceContext(stage.ctx), partner);
  await addTerms(database.db);
});
beforeEach(async () => {
  await setRate(database.db, "0.0077");
  await setClockOffset(database.db, 0);
});
afterAll(async () => {
  // Here nothing is sent: settlements are executed and failed by the test's own word.
  await expectCleanAudit({ db: database.db }, { without: ["executed_was_paid_once", "unexecuted_was_not_paid"] });
  await database.close();
});

const make = async (items: number | Record<string, unknown>[] = 3, values: Record<string, unknown> = { callback_url: URL }) =>
  (await call("POST", BATCHES, batchOf(items, values))).body;
const waiting = () => make([batchItem({ callback_url: `${URL}/item` }), batchItem({ source_amount: ABOVE_MAXIMUM })]);
const confirm = (batch: Answer["body"], body?: object) => call("POST", `${BATCHES}/${batch.batch_id}/confirm`, body);
/** Repeats what is answered 503, as a client does: on a busy machine the last of many waits longer than the limit. */
const confirmInTime = async (batch: Answer["body"]): Promise<Answer> => {
  for (let left = MOST_ATTEMPTS; ; left -= 1) {
    const answer = await confirm(batch);
    if (answer.status !== 503 || left === 1) return answer;
  }
};
const read = async (batch: Answer["body"]) => (await call("GET", `${BATCHES}/${batch.batch_id}`)).body;
const decide = (batch: Answer["body"], what: "approve" | "reject", body: object) =>
  stage.call("POST", `/admins/settlement-batches/${batch.batch_id}/${what}`, { apiKey: operator.apiKey, body });
const idsOf = (batch: Answer["body"]) => (batch.items as { tx_id: string }[]).map(({ tx_id }) => tx_id);
const rowsOf = (batch: Answer["body"]) =>
  database.db
    .select()
    .from(settlements)
    .where(eq(settlements.batchId, String(batch.batch_id)))
    .orderBy(settlements.id);
const owedOf = async (batch: Answer["body"]) =>
  await database.db
    .select()
    .from(transfers)
    .where(inArray(transfers.ownerId, idsOf(batch)));
const callbacksOf = (subjectId: unknown) =>
  database.db
    .select()
    .from(callbacks)
    .where(eq(callbacks.subjectId, String(subjectId)));
/** The answer to what changes no row of the batch. */
async function unchanged(batch: Answer["body"], work: () => Promise<Pick<Answer, "status" | "body">>) {
  const before = [await rowsOf(batch), await read(batch), await owedOf(batch)];
  const answer = await work();
  expect([await rowsOf(batch), await read(batch), await owedOf(batch)]).toEqual(before);
  return answer;
}
async function execute(ids: readonly string[]): Promise<void> {
  await database.db.transaction(async (tx) => {
    await executeSettlements(
      tx,
      ids.map((settlementId) => ({ settlementId, txHash: `0x${settlementId}` })),
    );
  });
}

describe("in the operator's queue", () => {
  it("a waiting batch is one line with its sums at the present price, and its items are not listed one by one", async () => {
    const before = await countApprovalQueue(stage.ctx, randomUUID());
    const batch = await waiting();
    expect(await countApprovalQueue(stage.ctx, randomUUID())).toEqual({ ...before, batches: before.batches + 1 });
    await setRate(database.db, "0.0080");
    const found = (await listPendingBatches(stage.ctx)).find(({ batch: { id } }) => id === batch.batch_id);
    expect(found).toMatchObject({ needed: 1, approvals: [], obstacle: null });
    const queued = (await listApprovals(stage.ctx)).items.map(({ settlement }) => settlement.id);
    expect(queued.filter((id) => idsOf(batch).includes(id))).toEqual([]);
    const [quoted, proposed] = [found?.batch.totals ?? [], found?.proposed ?? []].map((totals) =>
      formatDecimal(totals[0]?.destinationAmount ?? decimal("0")),
    );
    expect(Number(proposed)).toBeGreaterThan(Number(quoted));
    expect((await decide(batch, "approve", { expected_total: { USDT: Number(quoted) } })).body).toMatchObject({ code: "rate_moved" });
    const approved = await decide(batch, "approve", { expected_total: { USDT: Number(proposed) } });
    expect(approved.body).toMatchObject({ approval_state: "approved", totals: [{ destination_amount: Number(proposed) }] });
    expect((await listPendingBatches(stage.ctx)).map(({ batch: { id } }) => id)).not.toContain(batch.batch_id);
  });

  it("without a rate it says why it cannot be approved", async () => {
    const batch = await waiting();
    await database.sql`update exchange_rates set stale_at = now() - interval '1 day'`;
    const found = (await listPendingBatches(stage.ctx)).find(({ batch: { id } }) => id === batch.batch_id);
    expect(found).toMatchObject({ proposed: null, obstacle: { code: "rate_unavailable" } });
  });
});

describe("confirming", () => {
  it("confirms every item under its own reference, and owes each payment once", async () => {
    const made = await make([batchItem({ callback_url: `${URL}/own` }), batchItem(), batchItem()]);
    const confirmed = await confirm(made, { expected_total: { USDT: 21.6 } });
    expect(confirmed).toMatchObject({
      status: 200,
      body: { batch_id: made.batch_id, status: "processing", counts: { quoted: 0, processing: 3 }, confirmed_at: expect.any(String) },
    });
    expect(confirmed.body).not.toHaveProperty("items");
    const rows = await rowsOf(made);
    expect(
      rows.map(({ status, externalTxId, callbackUrl }) => ({ status, external_tx_id: externalTxId, callback_url: callbackUrl })),
    ).toEqual(
      (made.items as Record<string, unknown>[]).map(({ external_tx_id, callback_url }) => ({
        status: "processing",
        external_tx_id,
        callback_url,
      })),
    );
    expect((await owedOf(made)).map(({ amountBase, state }) => [amountBase, state])).toEqual(Array(3).fill([7_200_000n, "queued"]));
    const again = await unchanged(made, () => confirm(made));
    expect(again).toMatchObject({ status: 200, body: confirmed.body });
    expect(await unchanged(made, () => confirm(made, { callback_url: `${URL}/another` }))).toMatchObject({
      status: 409,
      body: { code: "invalid_state", batch_status: "processing" },
    });
  });

  it("of 500 items, ten times at once, owes 500 payments", async () => {
    const made = await make(500);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirmInTime(made)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await owedOf(made)).toHaveLength(500);
  });

  it("needs a URL, here or at creation", async () => {
    const made = await make(1, {});
    const refused = await unchanged(made, () => confirm(made));
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: "/callback_url", code: "required" }] } });
    expect(await confirm(made, { callback_url: URL })).toMatchObject({ status: 200, body: { callback_url: URL } });
  });

  it("refuses another sum than the expected one, and says which it is", async () => {
    const made = await make(2);
    for (const expected of [{ USDT: 14.5 }, { USDC: 14.4 }, { USDT: 14.4, USDC: 1 }, {}]) {
      const refused = await unchanged(made, () => confirm(made, { expected_total: expected }));
      expect(refused).toMatchObject({ status: 409, body: { code: "quote_changed", current_total: { USDT: 14.4 } } });
    }
  });

  it("refuses all while one quote has run out", async () => {
    await addTerms(database.db, { sourceCurrency: "EUR", quoteLifetimeSeconds: 60, maximumSourceMinor: 100_000_000n });
    await setRate(database.db, "1.1", { sourceCurrency: "EUR", destinationCurrency: "USDT" });
    const made = await make([batchItem(), batchItem({ source_currency: "EUR" })]);
    await setClockOffset(database.db, 2 * MINUTES);
    const refused = await unchanged(made, () => confirm(made));
    expect(refused).toMatchObject({
      status: 410,
      body: { code: "quote_expired", expired_at: made.expires_at, server_time: expect.any(String) },
    });
  });

  it("refuses a batch that was cancelled, and one that is unknown", async () => {
    const made = await make();
    await call("POST", `${BATCHES}/${made.batch_id}/cancel`);
    expect(await unchanged(made, () => confirm(made))).toMatchObject({
      status: 409,
      body: { code: "invalid_state", batch_status: "cancelled" },
    });
    expect(await confirm({ batch_id: "ba_nothing" })).toMatchObject({ status: 404, body: { code: "batch_not_found" } });
    const stranger = signedCalls(testSurfaceContext(stage.ctx), await issueKey(stage.ctx));
    for (const what of ["confirm", "cancel", "requote"]) {
      const foreign = await unchanged(made, () => stranger("POST", `${BATCHES}/${made.batch_id}/${what}`));
      expect(foreign).toMatchObject({ status: 404, body: { code: "batch_not_found" } });
    }
  });

  it("holds what goes beyond a limit in the order of the items, and pays the rest", async () => {
    const own = await issueKey(stage.ctx);
    const theirs = signedCalls(testSurfaceContext(stage.ctx), own);
    const made = (await theirs("POST", BATCHES, batchOf(3, { callback_url: URL }))).body;
    const nobody = {
      ...BLANK_LIMIT,
    };
    const limit = { kind: "velocity", mode: "enforce", countedBy: "partner", windowSeconds: 3_600, amountAtto: 15n * 10n ** 18n } as const;
    await openLimits(stage.ctx, [{ ...nobody, ...limit, id: `batch-${own.id}`, partnerId: own.partnerId }]);
    expect(await theirs("POST", `${BATCHES}/${made.batch_id}/confirm`)).toMatchObject({ status: 200 });
    const listed = await theirs("GET", `/api/v1/settlements?batch_id=${made.batch_id}`);
    expect((listed.body.data as Record<string, unknown>[]).map(({ waiting_reason }) => waiting_reason)).toEqual(["hold", null, null]);
    // Beyond the limit together, a new one waits for an approval as one.
    expect((await theirs("POST", BATCHES, batchOf(3))).body).toMatchObject({ approval_state: "pending" });
  });
});

describe("an item alone", () => {
  it("is not confirmed, cancelled or decided", async () => {
    const made = await waiting();
    const [id] = idsOf(made);
    const member = { status: 409, body: { code: "batch_member", batch_id: made.batch_id } };
    const alone = [
      () => call("POST", `/api/v1/settlements/${id}/confirm`, { external_tx_id: randomUUID(), callback_url: URL }),
      () => call("POST", "/api/v1/settlements/confirm", { tx_id: id, external_tx_id: randomUUID(), callback_url: URL }),
      () => call("POST", `/api/v1/settlements/${id}/cancel`),
      () => stage.call("POST", `/admins/settlements/${id}/approve`, { apiKey: operator.apiKey, body: {} }),
      () => stage.call("POST", `/admins/settlements/${id}/reject`, { apiKey: operator.apiKey, body: { reason: "Looks wrong to us." } }),
    ];
    for (const work of alone) expect((await unchanged(made, work)).body).toMatchObject({ code: "batch_member" });
    expect(await call("POST", `/api/v1/settlements/${id}/cancel`)).toMatchObject(member);
  });

  it("keeps its reference from others", async () => {
    const made = await make([batchItem({ external_tx_id: "taken" })]);
    const [single] = idsOf(await make(1));
    expect(single).not.toBe(made.batch_id);
    const { external_tx_id: _, ...body } = batchItem();
    const own = await call("POST", "/api/v1/settlements", body);
    const refused = await call("POST", `/api/v1/settlements/${own.body.tx_id}/confirm`, { external_tx_id: "taken", callback_url: URL });
    expect(refused).toMatchObject({ status: 409, body: { code: "external_tx_id_conflict" } });
  });
});

describe("cancelling", () => {
  it("cancels every item, also while the batch waits; a repeat gets its present state", async () => {
    for (const made of [await make(), await waiting()]) {
      const cancelled = await call("POST", `${BATCHES}/${made.batch_id}/cancel`, {});
      expect(cancelled).toMatchObject({ status: 200, body: { status: "cancelled", counts: { cancelled: made.item_count } } });
      const again = await unchanged(made, () => call("POST", `${BATCHES}/${made.batch_id}/cancel`));
      expect(again).toMatchObject({ status: 200, body: cancelled.body });
    }
  });

  it("is too late once it was confirmed", async () => {
    const made = await make();
    await confirm(made);
    const late = await unchanged(made, () => call("POST", `${BATCHES}/${made.batch_id}/cancel`));
    expect(late).toMatchObject({ status: 409, body: { code: "invalid_state", batch_status: "processing" } });
  });

  it("and confirming at once end one way", async () => {
    const made = await make();
    const [confirmed, cancelled] = await Promise.all([confirm(made), call("POST", `${BATCHES}/${made.batch_id}/cancel`)]);
    expect([confirmed.status, cancelled.status].toSorted()).toEqual([200, 409]);
  });
});

describe("requoting", () => {
  it("gives what has run out a new quote, which can be confirmed", async () => {
    const made = await make(3);
    const early = await unchanged(made, () => call("POST", `${BATCHES}/${made.batch_id}/requote`));
    expect(early).toMatchObject({ status: 200, body: { totals: made.totals, expires_at: made.expires_at } });
    await setClockOffset(database.db, 6 * MINUTES);
    await setRate(database.db, "0.008");
    const requoted = await call("POST", `${BATCHES}/${made.batch_id}/requote`, {});
    expect(requoted).toMatchObject({ status: 200, body: { status: "quoted", totals: [{ destination_amount: 22.5 }] } });
    expect(String(requoted.body.expires_at) > String(made.expires_at)).toBe(true);
    expect((await rowsOf(made)).map(({ quoteVersion }) => quoteVersion)).toEqual([2, 2, 2]);
    expect(await confirm(made, { expected_total: { USDT: 22.5 } })).toMatchObject({ status: 200 });
    const late = await unchanged(made, () => call("POST", `${BATCHES}/${made.batch_id}/requote`));
    expect(late).toMatchObject({ status: 409, body: { code: "invalid_state", batch_status: "processing" } });
  });

  it("of an approved batch keeps the approval", async () => {
    const made = await waiting();
    expect(await decide(made, "approve", {})).toMatchObject({ status: 200 });
    await setClockOffset(database.db, 40 * MINUTES);
    expect(await confirm(made)).toMatchObject({ status: 410 });
    expect(await call("POST", `${BATCHES}/${made.batch_id}/requote`)).toMatchObject({ status: 200, body: { approval_state: "approved" } });
    expect(await confirm(made)).toMatchObject({ status: 200 });
  });
});

describe("deciding", () => {
  it("approves all items at the present price, and calls back for those with a URL", async () => {
    const made = await waiting();
    expect(await unchanged(made, () => confirm(made))).toMatchObject({ status: 409, body: { code: "approval_pending" } });
    await setRate(database.db, "0.0078");
    const approved = await decide(made, "approve", { note: "Fine with us." });
    expect(approved).toMatchObject({ status: 200, body: { approval_state: "approved", status: "quoted" } });
    expect((await rowsOf(made)).map(({ approvalState, quoteVersion }) => [approvalState, quoteVersion])).toEqual([
      ["approved", 2],
      ["approved", 2],
    ]);
    expect(await Promise.all(idsOf(made).map(async (id) => (await callbacksOf(id)).length))).toEqual([1, 0]);
    expect(await unchanged(made, () => decide(made, "approve", {}))).toMatchObject({ status: 409, body: { code: "invalid_state" } });
    expect(await confirm(made)).toMatchObject({ status: 200, body: { status: "processing" } });
  });

  it("refuses a sum that has moved, and says what it is now", async () => {
    const made = await waiting();
    const [{ destination_amount: seen } = { destination_amount: 0 }] = made.totals as { destination_amount: number }[];
    await setRate(database.db, "0.0078");
    const refused = await unchanged(made, () => decide(made, "approve", { expected_total: { USDT: seen } }));
    expect(refused).toMatchObject({ status: 409, body: { code: "rate_moved", current_total: { USDT: expect.any(Number) } } });
    const { current_total } = refused.body as { current_total: Record<string, number> };
    expect(await decide(made, "approve", { expected_total: current_total })).toMatchObject({ status: 200 });
  });

  it("rejects all items with the reason", async () => {
    const made = await waiting();
    const rejected = await decide(made, "reject", { reason: "Looks wrong to us." });
    expect(rejected).toMatchObject({ status: 200, body: { status: "cancelled", approval_state: "rejected" } });
    expect((await rowsOf(made)).map(({ rejectionReason }) => rejectionReason)).toEqual(["Looks wrong to us.", "Looks wrong to us."]);
  });

  it("by two at once is done once", async () => {
    const made = await waiting();
    const answers = await Promise.all([
      decide(made, "approve", {}),
      decide(made, "reject", { reason: "Looks wrong to us." }),
      decide(made, "approve", {}),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it("of one that needs none, or is unknown, is refused", async () => {
    const made = await make();
    expect(await unchanged(made, () => decide(made, "approve", {}))).toMatchObject({ status: 409, body: { code: "invalid_state" } });
    expect(await decide({ batch_id: "ba_nothing" }, "approve", {})).toMatchObject({ status: 404, body: { code: "batch_not_found" } });
  });

  it("needs two people where the items of a pair together exceed the second threshold", async () => {
    const together = { maximumSourceMinor: 100_000n, batchMaximumSourceMinor: 150_000n, twoApprovalsAboveMinor: 250_000n };
    await addTerms(database.db, { ...together, sourceCurrency: "PHP" });
    await setRate(database.db, "0.02", { sourceCurrency: "PHP", destinationCurrency: "USDT" });
    const pesos = (count: number) => make(Array.from({ length: count }, () => batchItem({ source_currency: "PHP" })));
    const [one, two] = [await pesos(2), await pesos(3)];
    expect([one.approval_state, two.approval_state]).toEqual(["pending", "pending"]);
    expect((await decide(one, "approve", {})).body).toMatchObject({ approval_state: "approved" });
    const first = await unchanged(two, () => decide(two, "approve", {}));
    expect(first).toMatchObject({ status: 200, body: { approval_state: "pending" } });
    // A key never gives the second approval, and neither does the same one.
    expect(await unchanged(two, () => decide(two, "approve", {}))).toMatchObject({ status: 409, body: { code: "same_approver" } });
  });

  it("happens by itself after seven days", async () => {
    const made = await waiting();
    await setClockOffset(database.db, 8 * 24 * 60 * MINUTES);
    expect(await rejectOverdueSettlements(stage.ctx)).toBeGreaterThanOrEqual(2);
    expect(await read(made)).toMatchObject({ status: "cancelled", approval_state: "rejected" });
  });
});

describe("the end of a batch", () => {
  it("comes with that of its last item, and is called back once, without its items", async () => {
    const made = await make(3);
    await confirm(made);
    const [first = "", second = "", third = ""] = idsOf(made);
    await execute([first]);
    expect(await read(made)).toMatchObject({ status: "processing", counts: { executed: 1, processing: 2 }, completed_at: null });
    expect(await callbacksOf(made.batch_id)).toEqual([]);
    await Promise.all([
      execute([second]),
      database.db.transaction((tx) => failSettlement(tx, { settlementId: third, reason: "The recipient is blocked." })),
    ]);
    const completed = await read(made);
    expect(completed).toMatchObject({ status: "completed", counts: { executed: 2, failed: 1 }, completed_at: expect.any(String) });
    const sent = await callbacksOf(made.batch_id);
    expect(sent).toMatchObject([{ event: "batch.completed", url: URL }]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ ...completed, event: "batch.completed" });
    expect(await confirm(made)).toMatchObject({ status: 200, body: completed });
  });

  it("is found by the process that ends the last of several at once", async () => {
    const made = await make(8);
    await confirm(made);
    await Promise.all(idsOf(made).map((id) => execute([id])));
    expect(await read(made)).toMatchObject({ status: "completed", counts: { executed: 8 } });
    expect(await callbacksOf(made.batch_id)).toHaveLength(1);
    const [entries] = await database.db.execute<{ count: number }>(
      sql`select count(*)::int as count from audit_entries where object_id = ${String(made.batch_id)} and action = 'batch.completed'`,
    );
    expect(entries?.count).toBe(1);
  });
});

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { findNonceUse } from "#db/queries/access/nonces.ts";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { HOUR_SECONDS, type LimitTerms } from "#domain/exposure-limit.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { endLimits } from "#testing/limits.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { issueKey, type RequestParts, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { REGISTRY } from "./registry.ts";
import { handle } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

/** Concurrent confirmations and cancellations of one key: each has the same result as alone. */

const { surface, bindings } = REGISTRY.settlement;
let database: TestDatabase;
let pool: OpenDatabase;
let surfaceContext: SurfaceContext;
/** Another web process. */
let other: SurfaceContext;
let key: IssuedApiKey;
let owner: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = postgres(database.url, { max: 1 });
  pool = openDatabase({
    url: database.url,
    applicationName: "concurrent",
    maxConnections: 8,
    role: database.webRole,
    layout: database.layout,
  });
  const ctx = testContext(pool.db);
  surfaceContext = testSurfaceContext(ctx);
  other = testSurfaceContext({ ...ctx, db: database.db });
  // 1,000.00 KES are 10 USDT.
  await addTerms(database.db, { platformFeeBase: 0n });
  await setRate(database.db, "0.01");
});
afterAll(async () => {
  const { rules } = await auditDatabase({ db: database.db });
  expect(rules.flatMap(({ violations }) => violations)).toEqual([]);
  await owner.end();
  await pool.close();
  await database.close();
});
beforeEach(async () => {
  key = await issueKey(surfaceContext.ctx);
});
afterEach(async () => {
  await endLimits(database.sql);
});

type Sent = RequestParts & { nonce?: string; at?: SurfaceContext; by?: IssuedApiKey };
async function send({ at = surfaceContext, by = key, nonce = randomUUID(), ...parts }: Sent) {
  const request = signedRequest(by, { ...parts, nonce });
  const { status, body } = readAnswer(await handle(surface, at, bindings, request));
  return { status, body, nonce, requestId: request.requestId, code: body.code ?? null };
}
type More = Pick<Sent, "nonce" | "at" | "by"> & { reference?: string; expected?: number };
const confirm = (id: string, { reference = `ref-${id}`, expected, ...more }: More = {}) =>
  send({
    method: "POST",
    target: `/api/v1/settlements/${id}/confirm`,
    ...more,
    body: JSON.stringify({ external_tx_id: reference, expected_destination_amount: expected }),
  });
const cancel = (id: string, more: Pick<Sent, "nonce" | "at"> = {}) =>
  send({ method: "POST", target: `/api/v1/settlements/${id}/cancel`, body: "{}", ...more });
async function quote(amount = 100_000, by = key): Promise<string> {
  const body = JSON.stringify({
    source_amount: amount,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "merchant-1",
    chain: TEST_CHAIN.chain,
    wallet_address: "0x52908400098527886E0F7030069857D2E4169EE7",
    callback_url: "http://localhost:9/callback",
  });
  const { body: made } = await send({ method: "POST", target: "/api/v1/settlements", body, by });
  return String(made.tx_id);
}
const quotes = (count: number, amount?: number) => Promise.all(Array.from({ length: count }, () => quote(amount)));
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);

/** On Citus, a worker brings payments and entries from their node. */
const bring = () => bringOutbox({ db: database.db });

/** Everything that a confirmation leaves behind, without the values that differ between two. */
async function leftBy(id: string, { requestId, nonce }: { requestId: string; nonce: string }) {
  await bring();
  const [row] = await database.sql`
    select (select jsonb_agg(to_jsonb(t)) from transfers t where t.owner_id = ${id}) as transfers,
      (select jsonb_agg(to_jsonb(e) order by e.id) from audit_entries e where e.object_id = ${id} and e.action <> 'settlement.created') as entries,
      (select count(*)::int from audit_unsealed u join audit_entries e on e.id = u.entry_id where e.object_id = ${id}) as unsealed,
      (select jsonb_agg(to_jsonb(v)) from payment_verdicts v where v.owner_id = ${id}) as verdicts,
      (select jsonb_agg(to_jsonb(h)) from payment_holds h where h.owner_id = ${id}) as holds`;
  const isSpent = (await findNonceUse(database.db, { apiKeyId: key.id, partnerId: key.partnerId ?? null }, nonce)) !== null;
  const [stored] = await database.sql`select to_jsonb(s) as settlement from settlements s where s.id = ${id}`;
  const [called] = await database.sql`select count(*)::int as callbacks from callbacks where subject_id = ${id}`;
  const text = JSON.stringify({ ...row, ...stored, ...called, isSpent })
    .replaceAll(id, "ID")
    .replaceAll(requestId, "REQUEST")
    .replaceAll(nonce, "NONCE");
  return JSON.parse(
    text
      .replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"')
      .replace(/"[a-z]+_[0-9a-z]{26}"/g, '"AN ID"')
      .replace(/position":\d+/g, 'position":0'),
  );
}

describe("confirmations of one key at the same time", () => {
  it("leave each exactly what one alone leaves", async () => {
    const ids = await quotes(100);
    const [first = "", ...others] = ids;
    const alone = await leftBy(first, await confirm(first));
    expect(alone).toMatchObject({ settlement: { status: "processing" }, transfers: [{ state: "queued" }], entries: [{}], isSpent: true });
    const answers = await Promise.all(others.map((id) => confirm(id)));
    expect(statuses(answers)).toEqual(others.map(() => 200));
    expect(answers.map(({ body }) => [body.tx_id, body.status])).toEqual(others.map((id) => [id, "processing"]));
    for (const [index, id] of others.entries()) expect(await leftBy(id, answers[index] ?? { requestId: "", nonce: "" })).toEqual(alone);
    const again = await confirm(first, { nonce: answers[0]?.nonce ?? "" });
    expect(again).toMatchObject({ status: 401, code: "nonce_reused" });
  });

  it("are refused one by one, each as it would be alone, and the others are not touched", async () => {
    const good = await quotes(12);
    const [lapsed = "", over = "", dear = "", taken = ""] = await quotes(4);
    const pending = await quote(100_000_001);
    const [row] = await database.sql<{ expires_at: string }[]>`select expires_at from settlements where id = ${lapsed}`;
    const expiry = new Date(row?.expires_at ?? 0);
    const moveExpiry = (at: Date) =>
      database.sql`update settlements set expires_at = ${at.toISOString()}::timestamptz where id = ${lapsed}`;
    await moveExpiry(new Date(expiry.getTime() - 86_400_000));
    await cancel(over);
    const foreign = await quote(100_000, await issueKey(surfaceContext.ctx));
    const bad = [
      [confirm(lapsed), 410, "quote_expired"],
      [confirm(over), 409, "invalid_state"],
      [confirm(dear, { expected: 9 }), 409, "quote_changed"],
      [confirm(taken, { reference: `ref-${good[0]}` }), 409, "external_tx_id_conflict"],
      [confirm(pending), 409, "approval_pending"],
      [confirm(foreign), 404, "settlement_not_found"],
      [confirm("tx_nonsense"), 404, "settlement_not_found"],
    ] as const;
    const [answers, refused] = await Promise.all([
      Promise.all(good.map((id) => confirm(id))),
      Promise.all(bad.map(async ([answer]) => await answer)),
    ]);
    expect(statuses(answers).filter((status) => status !== 200).length).toBeLessThan(2);
    for (const [index, { status, code, nonce }] of refused.entries()) {
      const [, expected, word] = bad[index] ?? [];
      // Whichever of two of one reference comes first is the one.
      if (index !== 3) expect([status, code]).toEqual([expected, word]);
      expect(await confirm(good[1] ?? "", { nonce }), "a refusal burns its own nonce").toMatchObject({ code: "nonce_reused" });
    }
    expect([refused[3]?.status, answers[0]?.status].sort()).toEqual([200, 409]);
    await moveExpiry(expiry);
  });

  it("of one settlement create one payment: a repeat gets its present state, another reference is refused", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [id = "", ...company] = await quotes(6);
      const at = (index: number) => (index % 2 === 0 ? surfaceContext : other);
      const repeats = Array.from({ length: 8 }, (_, index) => confirm(id, { reference: `one-${round}`, at: at(index) }));
      const [same, different, rest] = await Promise.all([
        Promise.all(repeats),
        Promise.all(["two", "three"].map((reference, index) => confirm(id, { reference: `${reference}-${round}`, at: at(index) }))),
        Promise.all(company.map((each) => confirm(each))),
      ]);
      expect(statuses(rest)).toEqual(company.map(() => 200));
      const won = new Set([...same, ...different].filter(({ status }) => status === 200).map(({ body }) => body.external_tx_id));
      expect(won.size).toBe(1);
      for (const { code, status } of [...same, ...different]) expect(status === 200 || code === "external_tx_id_conflict").toBe(true);
      await bring();
      expect(await database.sql`select id from transfers where owner_id = ${id}`).toHaveLength(1);
      expect(await database.sql`select id from audit_entries where object_id = ${id} and action = 'settlement.confirmed'`).toHaveLength(1);
    }
  });

  it("of one reference come to one of them, also through two processes", async () => {
    for (let round = 0; round < 3; round += 1) {
      const ids = await quotes(10);
      const reference = randomUUID();
      const answers = await Promise.all(ids.map((id, index) => confirm(id, { reference, at: index % 2 === 0 ? surfaceContext : other })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ code }) => code === "external_tx_id_conflict")).toHaveLength(9);
    }
  });

  it("of copies, through two processes, let exactly one in", async () => {
    const [id = "", ...company] = await quotes(11);
    const nonce = randomUUID();
    const copies = Array.from({ length: 30 }, (_, index) => confirm(id, { nonce, at: index % 2 === 0 ? surfaceContext : other }));
    const answers = await Promise.all([...copies, ...company.map((each) => confirm(each))]);
    expect(statuses(answers.slice(30))).toEqual(company.map(() => 200));
    expect(answers.slice(0, 30).filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.slice(0, 30).filter(({ code }) => code === "nonce_reused")).toHaveLength(29);
  });
});

describe("a limit that fits only some of those who confirm at the same time", () => {
  const BLANK: LimitTerms = {
    ...BLANK_LIMIT,
    kind: "velocity",
    mode: "enforce",
    countedBy: "partner",
    windowSeconds: HOUR_SECONDS,
  };
  const units = (amount: number) => BigInt(amount) * 10n ** 18n;
  const limit = (id: string, terms: Partial<LimitTerms>) => openLimits(surfaceContext.ctx, [{ ...BLANK, ...terms, id }], "for a test");
  const heldAmong = (answers: readonly { body: Record<string, unknown> }[]) => answers.map(({ body }) => body.waiting_reason === "hold");

  it("lets exactly those pass, holds the others, and counts no more than it lets pass", async () => {
    const ids = await quotes(30);
    await limit("some-an-hour", { amountAtto: units(125) });
    const answers = await Promise.all(ids.map((id, index) => confirm(id, { at: index % 3 === 0 ? other : surfaceContext })));
    expect(statuses(answers)).toEqual(ids.map(() => 200));
    expect(heldAmong(answers).filter((isHeld) => !isHeld)).toHaveLength(12);
    const [row] = await database.sql`select sum(amount_atto)::text as sum from exposure_counters where limit_id = 'some-an-hour'`;
    expect(row?.sum).toBe(units(120).toString());
    for (const [index, id] of ids.entries())
      expect(await listHoldsOf(database.db, [id])).toHaveLength(heldAmong(answers)[index] === true ? 1 : 0);
  });

  it("gives the room of what is held to those behind it", async () => {
    const [large = "", ...small] = await Promise.all([quote(2_000_000), ...Array.from({ length: 6 }, () => quote(100_000))]);
    await limit("room-an-hour", { amountAtto: units(60) });
    const answers = await Promise.all([large, ...small].map((id) => confirm(id)));
    expect(heldAmong(answers)).toEqual([true, ...small.map(() => false)]);
  });

  it("counts what is confirmed at the same time as owed, held or not, where it is a line of credit", async () => {
    const ids = await quotes(12);
    await limit("credit", { kind: "credit_line", countedBy: null, windowSeconds: null, amountAtto: units(5_500), sourceCurrency: "KES" });
    const answers = await Promise.all(ids.map((id) => confirm(id)));
    expect(heldAmong(answers).filter((isHeld) => !isHeld)).toHaveLength(5);
    const verdicts = await database.sql<{ owed: string }[]>`
      select f -> 'facts' ->> 'owed' as owed from payment_verdicts v cross join jsonb_array_elements(v.findings) f
      where v.owner_id in ${database.sql(ids)} and v.stage = 'confirm'`;
    expect(verdicts.map(({ owed }) => Number(owed)).sort((a, b) => a - b)).toEqual(ids.map((_, index) => index * 1_000));
  });
});

describe("on a bad day", () => {
  it("a request that waits for another's lock gets 503 with Retry-After; the others do not wait", async () => {
    const [stuck = "", ...company] = await quotes(12);
    const [release, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.sql.begin(async (tx) => {
      await tx`select 1 from settlements where id = ${stuck} and partner_id = ${key.partnerId} for update`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const answers = await Promise.all([stuck, ...company].map((id) => confirm(id)));
    release.resolve();
    await holding;
    expect(statuses(answers)).toEqual([503, ...company.map(() => 200)]);
    const again = await confirm(stuck, { nonce: answers[0]?.nonce ?? "" });
    expect(again).toMatchObject({ status: 200, body: { status: "processing" } });
  });

  it("with the database gone in the middle, requests get 503 with Retry-After; each used up nothing, or its commit's answer was lost", async () => {
    const ids = await quotes(20);
    const [stuck = ""] = ids;
    const [release, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.sql.begin(async (tx) => {
      await tx`select 1 from settlements where id = ${stuck} and partner_id = ${key.partnerId} for update`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const asked = Promise.all(ids.map((id) => confirm(id)));
    await sleep(100);
    await owner`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'concurrent'`;
    release.resolve();
    await holding;
    const answers = await asked;
    const shed = answers.flatMap(({ status, nonce }, index) => (status === 503 ? [{ nonce, id: ids[index] ?? "" }] : []));
    expect(shed.length).toBeGreaterThan(0);
    expect(new Set(statuses(answers))).toEqual(new Set([...(shed.length < ids.length ? [200] : []), 503]));
    // A commit may have succeeded whose answer was lost with the connection: then the nonce is spent, and the confirmation is stored.
    await bring();
    const isStored = async (id: string) => (await database.sql`select 1 from transfers where owner_id = ${id}`).length === 1;
    const committed = new Set<string>();
    for (const { id } of shed) if (await isStored(id)) committed.add(id);
    expect(committed).not.toContain(stuck);
    // The pool may still have connections that have not noticed their end.
    for (const { nonce, id } of shed)
      await expect.poll(async () => (await confirm(id, { nonce })).status, { timeout: AT_ONCE_MS }).toBe(committed.has(id) ? 401 : 200);
    await bring();
    expect(await database.sql`select id from transfers where owner_id in ${database.sql(ids)}`).toHaveLength(ids.length);
  });
});

describe("cancellations of one key at the same time", () => {
  it("change each of them once, and repeats among them change nothing", async () => {
    const ids = await quotes(60);
    const answers = await Promise.all([...ids, ...ids.slice(0, 10)].map((id) => cancel(id)));
    expect(statuses(answers)).toEqual(answers.map(() => 200));
    const entries = await database.sql`
      select object_id from audit_entries where object_id in ${database.sql(ids)} and action = 'settlement.cancelled'`;
    expect(new Set(entries.map(({ object_id }) => object_id)).size).toBe(ids.length);
    expect(entries).toHaveLength(ids.length);
  });

  it("and confirmations of the same come to one of the two, and each answer says which", async () => {
    const ids = await quotes(30);
    const [confirmed, cancelled] = await Promise.all([
      Promise.all(ids.map((id) => confirm(id))),
      Promise.all(ids.map((id, index) => cancel(id, { at: index % 2 === 0 ? surfaceContext : other }))),
    ]);
    for (const [index, id] of ids.entries()) {
      const [yes, no] = [confirmed[index], cancelled[index]];
      expect([yes?.status, no?.status].sort()).toEqual([200, 409]);
      await bring();
      const owed = await database.sql`select id from transfers where owner_id = ${id}`;
      expect(owed).toHaveLength(yes?.status === 200 ? 1 : 0);
    }
  });
});

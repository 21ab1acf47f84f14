import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveRows, lockWalk } from "#db/queries/maintenance/retention.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { newId } from "#domain/ids.ts";
import { DEFAULT_RETENTION, RETAINED, type Retained } from "#domain/retention.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { enqueueTestCallback } from "#testing/callbacks.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { setClockOffset, TEST_CHAIN } from "#testing/factories.ts";
import { openFiatBench } from "#testing/fiat.ts";
import { recordMonth } from "./export-archive.ts";
import { forecastRetention, keepRetention } from "./keep-retention.ts";

let bench: Awaited<ReturnType<typeof openFiatBench>>;
beforeEach(async () => {
  bench = await openFiatBench();
});
afterEach(() => bench.close());

const DAY_MS = 86_400_000;
const inDays = (days: number) => setClockOffset(bench.db, days * DAY_MS);
const keep = () => keepRetention(bench.ctx, DEFAULT_RETENTION);
const archived = async () =>
  (await bench.sql`select kind, id, row from archived_rows order by kind, id`).map(({ kind, id }) => `${kind} ${id}`);
const NOTHING = { api_log: 0, callback_attempts: 0, provider_events: 0, lapsed_quotes: 0 };
/** These callbacks are about settlements that need not exist. */
const WITHOUT = ["callback_where_due", "callback_tells_the_record", "callback_attempts_in_order", "chain_was_asked"];

async function quote(sourceAmountMinor = 100_000n): Promise<string> {
  const money = { sourceAmountMinor, sourceCurrency: "KES", destinationCurrency: "USDT", externalMerchantId: "m" };
  const place = { chain: TEST_CHAIN.chain, walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", callbackUrl: null };
  const ctx = { ...bench.ctx, policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 } };
  const { id } = await createSettlement(ctx, { ...bench.partner, ...money, ...place });
  // On Citus nothing is archived before a worker has brought its entry from the node.
  await bringOutbox(ctx);
  return id;
}

/** A callback with one attempt of now: delivered by it, or not. */
async function attempted(state: "delivered" | "pending"): Promise<{ id: string; attempt: string }> {
  const { id } = await enqueueTestCallback(bench.db, bench.partner, "http://localhost:9/x");
  const attempt = newId("attempt", new Date());
  const [status, error] = state === "delivered" ? [200, null] : [500, "status"];
  await bench.sql`
    insert into callback_attempts (id, callback_id, partner_id, series, number, scheduled_at, sent_at, ended_at, duration_ms, response_status, error_kind)
    values (${attempt}, ${id}, ${bench.partner.partnerId}, 1, 1, business_now(), business_now(), business_now(), 1, ${status}, ${error})`;
  if (state === "delivered")
    await bench.sql`update callbacks set state = 'delivered', due_at = null, delivered_at = (select business_now()) where id = ${id}`;
  else await bench.sql`update callbacks set next_number = 2, due_at = (select business_now()) + interval '400 days' where id = ${id}`;
  return { id, attempt };
}

async function logRequest(ageDays: number): Promise<string> {
  const at = new Date(Date.now() - ageDays * DAY_MS);
  const id = newId("request", at);
  await bench.sql`
    insert into api_requests (id, at, surface, operation, method, path, query, status, duration_ms, address, replayed)
    values (${id}, ${at.toISOString()}, 'settlement', 'x', 'GET', '/', 'q=1', 200, 1, '10.0.0.1', false)`;
  return id;
}

describe("what has been kept for as long as it is said", () => {
  it("goes to the archive, each kind by the same walk, and everything else stays; the audit proves the rest as before", async () => {
    const lapsed = await quote();
    const awaiting = await quote(100_000_001n);
    const delivered = await attempted("delivered");
    const pending = await attempted("pending");
    const [old, young] = [await logRequest(31), await logRequest(29)];
    const { id: order } = await bench.topUp();
    const word = { status: "succeeded", reference: "R-1", reason: null } as const;
    for (let said = 0; said < 3; said += 1)
      await takeProviderEvent(bench.ctx, { provider: FIRST_PROVIDER, kind: "topup", orderId: order, word, body: "{}" });
    expect((await keep()).moved).toEqual({ ...NOTHING, api_log: 1 });
    await inDays(91);
    const fresh = await quote();
    const forecast = await forecastRetention(bench, DEFAULT_RETENTION);
    expect(forecast.kinds.map(({ kind, rows }) => [kind, rows])).toEqual([
      ["api_log", 0],
      ["callback_attempts", 1],
      ["provider_events", 0],
      ["lapsed_quotes", 1],
    ]);
    expect((await keep()).moved).toEqual({ ...NOTHING, callback_attempts: 1, lapsed_quotes: 1 });
    await inDays(401);
    expect((await keep()).moved).toEqual({ ...NOTHING, provider_events: 2, lapsed_quotes: 1 });
    expect(await archived()).toEqual(
      [
        `api_requests ${old}`,
        `callback_attempts ${delivered.attempt}`,
        ...(await bench.sql`select id from archived_rows where kind = 'provider_events'`).map(({ id }) => `provider_events ${id}`),
        ...[lapsed, fresh].map((id) => `settlement_quotes ${id} 1`),
        ...[lapsed, fresh].map((id) => `settlements ${id}`),
      ].toSorted(),
    );
    const left = async (table: string) => (await bench.sql`select id from ${bench.sql(table)} order by id`).map(({ id }) => id);
    expect(await left("settlements")).toEqual([awaiting]);
    expect(await left("callback_attempts")).toEqual([pending.attempt]);
    expect(await left("api_requests")).toEqual([young]);
    expect(await bench.sql`select effect from provider_events`).toEqual([{ effect: "applied" }]);
    const [kept] = await bench.sql`select row from archived_rows where kind = 'api_requests'`;
    expect([kept?.row?.path, kept?.row?.address, kept?.row?.query]).toEqual(["/", undefined, undefined]);
    expect((await bench.sql`select row ->> 'status' as status from archived_rows where kind = 'settlements'`)[0]?.status).toBe("quoted");
    await expectCleanAudit({ db: bench.db }, { without: WITHOUT });
  });

  it("stays whole where it is a batch: its quotes are not archived one by one", async () => {
    const [alone, item] = [await quote(), newId("settlement", new Date())];
    const [row] = await bench.sql`select * from settlements where id = ${alone}`;
    await bench.sql`insert into settlements ${bench.sql({ ...row, id: item, batch_id: "ba_00000000000000000000000000" })}`;
    await inDays(91);
    expect((await keep()).moved).toEqual({ ...NOTHING, lapsed_quotes: 1 });
    expect(await bench.sql`select id from settlements where id in ${bench.sql([alone, item])}`).toEqual([{ id: item }]);
  });

  it("is looked at again where it may go later: a callback that was delivered at last", async () => {
    const { id } = await attempted("pending");
    await inDays(100);
    expect((await keep()).moved).toEqual(NOTHING);
    await bench.sql`update callbacks set state = 'delivered', due_at = null, delivered_at = (select business_now()) where id = ${id}`;
    await inDays(102);
    await keep();
    await inDays(300);
    await keep();
    expect((await keep()).moved.callback_attempts + (await keep()).moved.callback_attempts).toBe(0);
    expect(await bench.sql`select 1 from callback_attempts`).toHaveLength(0);
  });

  it("goes batch by batch, and two workers move nothing twice", async () => {
    await bench.sql`
      insert into api_requests (id, at, surface, operation, method, path, query, status, duration_ms, address, replayed)
      select 'req_00' || lpad(n::text, 24, '0'), now() - interval '40 days', 's', 'x', 'GET', '/', '', 200, 1, '', false from generate_series(1, 1201) n`;
    expect(await keep()).toEqual({ moved: { ...NOTHING, api_log: 500 }, more: true });
    const [one, two] = await Promise.all([keep(), keep()]);
    const rest = [one, two, await keep(), await keep()].map(({ moved }) => moved.api_log);
    expect(rest.reduce((left, right) => left + right)).toBe(701);
    expect(await bench.sql`select count(*)::int as n, count(distinct id)::int as different from archived_rows`).toEqual([
      { n: 1_201, different: 1_201 },
    ]);
    expect(await bench.sql`select 1 from api_requests`).toHaveLength(0);
  });

  it("is left alone by a worker while another has the walk, and goes on where a worker died", async () => {
    await logRequest(31);
    await expect(
      bench.db.transaction(async (tx) => {
        await lockWalk(tx, "api_log");
        expect((await keep()).moved.api_log).toBe(0);
        throw new Error("died");
      }),
    ).rejects.toThrow("died");
    expect((await keep()).moved.api_log).toBe(1);
  });
});

describe("a process that works as the service", () => {
  it("brings nothing to the archive that has not been kept for long enough, or is not of that kind", async () => {
    const lapsed = await quote();
    const awaiting = await quote(100_000_001n);
    const request = await logRequest(1);
    const { id: callback } = await attempted("delivered");
    const future = new Date(Date.now() + 1_000 * DAY_MS);
    const units = [lapsed, awaiting, request, callback];
    const archive = (kind: Retained) => bench.db.transaction((tx) => archiveRows(tx, kind, units, future));
    for (const kind of RETAINED) expect(await archive(kind)).toBe(0);
    await expect(bench.sql`select archive_rows('audit_entries', array['x'], now())`).rejects.toThrow(/nothing is archived/);
    await inDays(30);
    expect(await archive("lapsed_quotes")).toBe(1);
    expect(await bench.sql`select id from settlements`).toEqual([{ id: awaiting }]);
  });

  it("writes nothing into the archive, changes nothing in it, and takes nothing out of what only grows", async () => {
    await quote();
    const { sql } = bench;
    await expect(sql`insert into archived_rows (kind, id, row) values ('x', 'x', '{}')`).rejects.toThrow(/permission denied/);
    await expect(sql`update archived_rows set id = 'x'`).rejects.toThrow(/permission denied/);
    await expect(sql`delete from archived_rows`).rejects.toThrow(/permission denied/);
    for (const table of ["settlement_quotes", "provider_events"])
      await expect(sql`delete from ${sql(table)}`).rejects.toThrow(/permission denied/);
  });

  it("not even the owner deletes what only grows without having archived it as it is", async () => {
    const id = await quote();
    const { sql } = bench;
    await sql.begin(async (tx) => {
      await tx`set local role none`;
      await expect(tx.savepoint((inner) => inner`delete from settlement_quotes`)).rejects.toThrow(/append only/);
    });
    expect(await sql`select settlement_id from settlement_quotes`).toEqual([{ settlement_id: id }]);
  });
});

describe("a month of the archive", () => {
  /** As if it had been filled this many months ago. */
  async function addMonth(months: number): Promise<string> {
    const { sql } = bench;
    return await sql.begin(async (tx) => {
      await tx`set local role none`;
      const [row] = await tx`
        select 'archived_rows_' || to_char(now() - make_interval(months => ${months}), 'YYYY_MM') as name,
          date_trunc('month', now() - make_interval(months => ${months}))::text as first, date_trunc('month', now() - make_interval(months => ${months - 1}))::text as next`;
      await tx.unsafe(`create table ${row?.name} partition of archived_rows for values from ('${row?.first}') to ('${row?.next}')`);
      return String(row?.name);
    });
  }
  const months = async () => (await forecastRetention(bench, DEFAULT_RETENTION)).archive.map(({ name, isDue }) => [name, isDue]);

  it("is dropped whole once it is as old as is said, with an entry in the audit log, and no sooner than a month", async () => {
    const [old, young] = [await addMonth(16), await addMonth(3)];
    expect(await months()).toEqual([
      [old, true],
      [young, false],
    ]);
    await keep();
    expect(await months()).toEqual([[young, false]]);
    expect(await bench.sql`select action, object_id from audit_entries where action = 'archive.dropped'`).toEqual([
      { action: "archive.dropped", object_id: old },
    ]);
    await logRequest(31);
    await keep();
    expect(await bench.sql`select drop_archive(0)`).toHaveLength(1);
    expect(await bench.sql`select 1 from archived_rows`).toHaveLength(1);
  });

  it("is kept until it was written to a file, where others were: nobody who keeps them loses one", async () => {
    const [oldest, old] = [await addMonth(17), await addMonth(16)];
    await recordMonth(bench, { month: oldest, rows: 0, sha256: "0" });
    await keep();
    expect(await months()).toEqual([
      [oldest, true],
      [old, true],
    ]);
    await recordMonth(bench, { month: old, rows: 0, sha256: "0" });
    await keep();
    expect(await months()).toEqual([]);
  });

  it("is dropped however old it is, once it was written", async () => {
    const [ancient, old, recent] = [await addMonth(90), await addMonth(80), await addMonth(3)];
    const keepLong = () => keepRetention(bench.ctx, { ...DEFAULT_RETENTION, archive: 2_000 });
    for (const month of [ancient, recent]) await recordMonth(bench, { month, rows: 0, sha256: "0" });
    await keepLong();
    expect((await months()).map(([name]) => name)).toEqual([ancient, old, recent]);
    await recordMonth(bench, { month: old, rows: 0, sha256: "0" });
    await keepLong();
    expect((await months()).map(([name]) => name)).toEqual([recent]);
  });

  it("that becomes due while others are judged is not dropped with them", async () => {
    const old = await addMonth(16);
    await recordMonth(bench, { month: old, rows: 0, sha256: "0" });
    const holder = await bench.sql.reserve();
    await holder`begin`;
    await holder`set local role none`;
    await holder`lock table audit_entries in access exclusive mode`;
    const pass = expect(keep()).rejects.toThrow(/became due while others were judged/);
    await expect
      .poll(async () => (await bench.sql`select 1 from pg_locks where relation = 'audit_entries'::regclass and not granted`).length, {
        timeout: 60_000,
      })
      .toBe(1);
    const late = await addMonth(17);
    await holder`commit`;
    holder.release();
    await pass;
    expect(await months()).toEqual([
      [late, true],
      [old, true],
    ]);
    await recordMonth(bench, { month: late, rows: 0, sha256: "0" });
    await keep();
    expect(await months()).toEqual([]);
  });
});

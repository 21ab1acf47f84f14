import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listEndpoints, listUndeliveredGroups } from "#server/services/callbacks/list-undelivered-groups.ts";
import { readRiskHints } from "#server/services/settlements/read-risk-hints.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";
import { addPartner, addTerms, type TestPartner } from "#server/testing/factories.ts";
import { type Overview, readOverview } from "./read-overview.ts";

/** With five times as many see the figures at `readOverview`. */
const MANY = 20_000;
const APART_SECONDS = (29.9 * 86_400) / MANY;
const DAY_MS = 86_400_000;

describe("the overview", () => {
  let database: TestDatabase;
  let one: TestPartner;
  let other: TestPartner;
  let empty: TestPartner;

  beforeAll(async () => {
    database = await createTestDatabase();
    [one, other, empty] = await Promise.all([addPartner(database.db), addPartner(database.db), addPartner(database.db)]);
    const terms = await addTerms(database.db);
    await fill(database, terms, [one, other]);
  }, 120_000);
  afterAll(() => database.close());

  const month = () => ({ from: new Date(Date.now() - 30 * DAY_MS), to: new Date(Date.now() + 60_000) });
  const createdIn = (overview: Overview) => overview.figures.current.created;

  it("adds up: every settlement of the range has one outcome, and one partner's never count with another's", async () => {
    const all = await readOverview(database, { partnerId: null, ...month() });
    const ofOne = await readOverview(database, { partnerId: one.partnerId, ...month() });
    const ofOther = await readOverview(database, { partnerId: other.partnerId, ...month() });
    expect(createdIn(all)).toBe(MANY);
    expect(createdIn(ofOne) + createdIn(ofOther)).toBe(MANY);
    const { funnel } = all;
    expect(funnel.executed + funnel.failed).toBe(funnel.confirmed);
    expect(all.volume.reduce((sum, point) => sum + point.count, 0)).toBe(funnel.executed);
    expect(all.figures.current.volume.reduce((sum, point) => sum + point.count, 0)).toBe(funnel.executed);
    expect(all.attention.awaitingApproval).toBe(ofOne.attention.awaitingApproval + ofOther.attention.awaitingApproval);
    expect(all.attention.undeliveredCallbacks).toBeGreaterThan(0);
    expect(all.approvalAges.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(all.attention.awaitingApproval);
    expect(all.execution[0]).toMatchObject({ chain: "eip155:31337", p50Seconds: 30 });
  });

  it("shows a new partner its checklist and nothing of anybody else", async () => {
    const overview = await readOverview(database, { partnerId: empty.partnerId, ...month() });
    expect(createdIn(overview)).toBe(0);
    expect(overview.attention).toMatchObject({ awaitingApproval: 0, undeliveredCallbacks: 0, slowProcessing: 0 });
    expect(overview.setup?.map(({ done }) => done)).toEqual([true, false, false, false, false, false]);
    expect(await listUndeliveredGroups(database, { partnerId: empty.partnerId })).toEqual([]);
    expect(await listEndpoints(database, { partnerId: empty.partnerId })).toEqual([]);
  });

  it("refuses a range that is no range, or longer than 92 days", async () => {
    const now = new Date();
    for (const from of [now, new Date(now.getTime() + 1), new Date(now.getTime() - 93 * DAY_MS)]) {
      await expect(readOverview(database, { partnerId: null, from, to: now })).rejects.toMatchObject({ code: "validation_failed" });
    }
  });

  it(`answers within a statement's patience over ${MANY} settlements of a month`, async () => {
    const [{ id = "" } = {}] = await database.sql<{ id?: string }[]>`select id from settlements where approval_state = 'pending' limit 1`;
    const day = { from: new Date(Date.now() - DAY_MS), to: new Date() };
    const tasks = {
      "operator, 30 days": () => readOverview(database, { partnerId: null, ...month() }),
      "operator, 24 hours": () => readOverview(database, { partnerId: null, ...day }),
      "partner, 30 days": () => readOverview(database, { partnerId: one.partnerId, ...month() }),
      "undelivered groups": () => listUndeliveredGroups(database, { partnerId: null }),
      endpoints: () => listEndpoints(database, { partnerId: null }),
      "risk hints of one": () => readRiskHints(database, id),
    };
    const took: Record<string, number> = {};
    for (const [name, task] of Object.entries(tasks)) {
      await task();
      const began = performance.now();
      await task();
      took[name] = Math.round(performance.now() - began);
    }
    expect(Math.max(...Object.values(took)), JSON.stringify(took)).toBeLessThan(5_000);
  });
});

/** A month of settlements of every outcome, by SQL; a quarter of the executed ones with a callback. */
async function fill(database: TestDatabase, terms: string, partners: readonly TestPartner[]): Promise<void> {
  await database.sql.begin((sql) => insertAll(sql, terms, partners));
}

async function insertAll(sql: TransactionSql, terms: string, partners: readonly TestPartner[]): Promise<void> {
  await sql`set local statement_timeout = 0`;
  const [first, second] = partners;
  if (!first || !second) throw new Error("two partners are needed");
  await sql`insert into settlements (id, partner_id, api_key_id, status, approval_state, external_tx_id, external_merchant_id, source_amount_minor,
      source_currency, destination_currency, chain, wallet_address, token_decimals, quote_version, exchange_rate, mid_rate, spread_bps, rate_source,
      rate_as_of, pair_terms_id, gross_base, platform_fee_base, destination_amount_base, priced_at, expires_at, callback_url, created_at, confirmed_at,
      cancelled_at, approval_decided_at, tx_hash, executed_at, failure_reason)
    select 'tx_' || lpad(n::text, 26, '0'), case when n % 3 = 0 then ${second.partnerId}::uuid else ${first.partnerId}::uuid end,
      case when n % 3 = 0 then ${second.apiKeyId}::uuid else ${first.apiKeyId}::uuid end,
      case when o < 60 then 'executed' when o < 65 then 'failed' when o < 90 then 'quoted' else 'cancelled' end,
      case when o < 3 then 'approved' when o = 66 then 'pending' when o = 90 then 'rejected' end,
      case when o < 65 then 'ext-' || n end, 'merchant-' || n % 200, 10000 + n % 90000, 'KES', 'USDT', 'eip155:31337',
      '0x' || lpad(to_hex(n % 500), 40, '0'), 6, 1, 0.0077, 0.0077, 0, 'test', at, ${terms}, 2000000, 500000, 1500000, at, at + interval '5 minutes',
      case when o < 65 then 'https://shop.example/cb' end, at, case when o < 65 then at + interval '1 minute' end,
      case when o >= 90 then at + interval '1 minute' end, case when o < 3 or o = 90 then at + interval '30 seconds' end,
      case when o < 60 then '0x' || lpad(to_hex(n), 64, '0') end, case when o < 60 then at + interval '90 seconds' end,
      case when o between 60 and 64 then 'reverted' end
    from (select n, (n * 7919) % 100 as o, date_trunc('milliseconds', now() - n * ${APART_SECONDS}::float8 * interval '1 second') as at from generate_series(1, ${MANY}) n) rows`;
  await sql`insert into callbacks (id, partner_id, subject_id, api_key_id, event, url, lane, body, state, series, next_number, created_at, delivered_at, undelivered_at)
    select 'cb_' || lpad(n::text, 26, '0'), partner_id, id, api_key_id, 'settlement.executed', 'https://shop.example/cb', partner_id || ' https://shop.example', '{}',
      case when n % 20 = 0 then 'undelivered' else 'delivered' end, 1, case when n % 20 = 0 then 6 else 1 end, executed_at,
      case when n % 20 <> 0 then executed_at end, case when n % 20 = 0 then executed_at end
    from (select *, row_number() over (order by id) as n from settlements where status = 'executed') s where n % 4 = 0`;
  await sql`insert into callback_attempts (id, callback_id, series, number, scheduled_at, sent_at, ended_at, duration_ms, response_status, error_kind, error)
    select 'ca_' || c.id || k, c.id, 1, k, c.created_at, c.created_at, c.created_at, 40, case when c.state = 'delivered' then 200 else 503 end,
      case when c.state <> 'delivered' then 'status' end, case when c.state <> 'delivered' then 'The receiver answered 503.' end
    from callbacks c, generate_series(1, c.next_number) k`;
  await sql`analyze`;
}

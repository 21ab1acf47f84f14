import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sumTreasuryUse } from "#db/queries/transfers/treasury-use.ts";
import { saveWalletBalance } from "#db/queries/transfers/wallet-balances.ts";
import { ensureWallet, setWalletState } from "#db/queries/transfers/wallets.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { countCallbacks, listCallbackGroups, listEndpoints } from "#server/services/callbacks/read-callbacks.ts";
import { readPartnerFigures } from "#server/services/partners/read-partners.ts";
import { readRiskHints } from "#server/services/settlements/read-risk-hints.ts";
import { readTreasury } from "#server/services/treasury/read-treasury.ts";
import { enqueueTestCallback } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { idAt } from "#testing/id-at.ts";
import { readOverview } from "./read-overview.ts";
import { readOverviewFigures, readOverviewSeries } from "./read-overview-figures.ts";

/** With five times as many see the figures at `readOverviewFigures`. */
const MANY = 20_000;
const APART_SECONDS = (29.9 * 86_400) / MANY;

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

  const month = (partnerId: string | null) => ({ partnerId, look: "30d" }) as const;
  const now = (partnerId: string | null) => readOverview({ ...database, chains: testChains }, { partnerId });
  const counted = <Point extends { count: number }>(points: readonly Point[]) => points.reduce((sum, point) => sum + point.count, 0);

  it("adds up: every settlement of the range has one outcome, and one partner's never count with another's", async () => {
    const all = await readOverviewFigures(database, month(null));
    const ofOne = await readOverviewFigures(database, month(one.partnerId));
    const ofOther = await readOverviewFigures(database, month(other.partnerId));
    expect(all.figures.current.created).toBe(MANY);
    expect(ofOne.figures.current.created + ofOther.figures.current.created).toBe(MANY);
    const { funnel, figures } = all;
    expect(funnel.executed + funnel.failed).toBe(funnel.confirmed);
    expect(funnel.created).toBe(
      funnel.confirmed + funnel.lapsed + funnel.cancelled + funnel.rejected + (await now(null)).attention.awaitingApproval,
    );
    expect(figures.current.executed).toBe(funnel.executed);
    expect(figures.current.successShare).toBeCloseTo(funnel.executed / (funnel.executed + funnel.failed), 10);
    expect(figures.current.callbackShare).toBeCloseTo(0.8, 2);
    expect(figures.current.lapsedAmounts).toEqual([{ currency: "USDT", tokenDecimals: 6, base: BigInt(funnel.lapsed) * 1_500_000n }]);
    expect(figures.before).toMatchObject({ created: 0, executed: 0, successShare: null, executionSeconds: null, volume: [] });
  });

  it("shows the same volume point by point as in the sum, and how long execution and decisions took", async () => {
    const { figures } = await readOverviewFigures(database, month(null));
    const series = await readOverviewSeries(database, month(null));
    expect(counted(series.volume)).toBe(counted(figures.current.volume));
    expect(series.volume.reduce((sum, point) => sum + point.destinationAmountBase, 0n)).toBe(
      figures.current.volume[0]?.destinationAmountBase,
    );
    expect(series.execution[0]).toMatchObject({ chain: TEST_CHAIN.chain, p50Seconds: 30 });
    const { attention } = await now(null);
    expect(series.approvalAges.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(attention.awaitingApproval);
    expect(series.decisions.reduce((sum, { approved, rejected }) => sum + approved + rejected, 0)).toBe(
      series.approvalAges.reduce((sum, { decided }) => sum + decided, 0),
    );
  });

  it("counts what needs attention now, each partner's own and none of another", async () => {
    const [all, ofOne, ofOther] = await Promise.all([now(null), now(one.partnerId), now(other.partnerId)]);
    for (const name of ["awaitingApproval", "undeliveredCallbacks"] as const) {
      expect(all.attention[name]).toBe(ofOne.attention[name] + ofOther.attention[name]);
      expect(all.attention[name]).toBeGreaterThan(0);
    }
    expect(all.inside).not.toBeNull();
    expect(ofOne.inside).toBeNull();
  });

  it("counts a partner's callbacks on its page as it does here: those that are tried again, and those given up", async () => {
    await database.sql`
      update callbacks set state = 'pending', due_at = now(), failing_since = now(), undelivered_at = null, next_number = 2
      where id in (select id from callbacks where partner_id = ${one.partnerId} and state = 'undelivered' limit 2)`;
    const { attention } = await now(one.partnerId);
    const { retryingCallbacks, undeliveredCallbacks } = await readPartnerFigures(database, one.partnerId);
    expect(retryingCallbacks).toBeGreaterThanOrEqual(2);
    expect([retryingCallbacks, undeliveredCallbacks]).toEqual([attention.retryingCallbacks, attention.undeliveredCallbacks]);
  });

  it("names the pairs that nobody can quote, until they have a rate", async () => {
    const halted = "KES/USDT";
    expect((await now(null)).halted).toEqual([halted]);
    expect((await now(one.partnerId)).halted).toEqual([halted]);
    await setRate(database.db, "0.0077");
    expect((await now(null)).halted).toEqual([]);
    expect((await now(one.partnerId)).halted).toEqual([]);
  });

  it("says how long the wallets of a chain last together at the pace of the last day", async () => {
    for (const [index, amountBase] of [30_000_000n, 42_000_000n].entries()) {
      const walletId = await ensureWallet(database.db, {
        chain: TEST_CHAIN.chain,
        address: `0x${String(index).repeat(40)}`,
        now: new Date(),
      });
      await saveWalletBalance(database.db, { walletId, currency: "USDT", amountBase, thresholdBase: 0n, height: 1, low: false });
    }
    const { usedBase } = (await sumTreasuryUse(database.db))[0] ?? { usedBase: 0n };
    expect(usedBase).toBeGreaterThan(0n);
    const runway = (await now(null)).inside?.runway ?? [];
    expect(runway).toMatchObject([{ currency: "USDT", amountBase: 72_000_000n, usedBase, wallets: 2, lowWallets: 0 }]);
    expect(runway[0]?.hours).toBeCloseTo((72_000_000 * 24) / Number(usedBase), 1);
  });

  it("counts what runs low by wallets, and leaves out those that pay no more, whatever was last read of them", async () => {
    const [paying, gone] = await Promise.all(
      ["a", "b"].map((digit) => ensureWallet(database.db, { chain: TEST_CHAIN.chain, address: `0x${digit.repeat(40)}`, now: new Date() })),
    );
    if (paying === undefined || gone === undefined) throw new Error("two wallets were stored");
    const low = { currency: "USDC", amountBase: 7n, thresholdBase: 9n, height: 1, low: true };
    for (const walletId of [paying, gone]) await saveWalletBalance(database.db, { walletId, ...low });
    await setWalletState(database.db, gone, "retired");
    const ofUsdc = async () => (await now(null)).inside?.runway.filter(({ currency }) => currency === "USDC");
    expect(await ofUsdc()).toMatchObject([{ amountBase: 7n, wallets: 1, lowWallets: 1, lowAddresses: [`0x${"a".repeat(40)}`] }]);
    const { balances } = await readTreasury(database);
    expect(balances.filter(({ low }) => low).map(({ walletId }) => walletId)).toEqual([paying]);
    await saveWalletBalance(database.db, { walletId: gone, ...low, amountBase: 11n, low: false });
    await setWalletState(database.db, gone, "active");
    expect(await ofUsdc()).toMatchObject([{ amountBase: 18n, wallets: 2, lowWallets: 1 }]);
  });

  it("shows a new partner its checklist, ticked by what has happened, and nothing of anybody else", async () => {
    const { figures } = await readOverviewFigures(database, month(empty.partnerId));
    expect(figures.current).toMatchObject({ created: 0, executed: 0, lapsed: 0, volume: [] });
    const first = await now(empty.partnerId);
    expect(first.attention).toMatchObject({ awaitingApproval: 0, undeliveredCallbacks: 0, slowProcessing: 0 });
    expect(first.setup?.map(({ done }) => done)).toEqual([true, false, false, false, false, false]);
    await database.sql`update api_keys set last_used_at = now() where partner_id = ${empty.partnerId}`;
    expect((await now(empty.partnerId)).setup?.map(({ done }) => done)).toEqual([true, true, false, false, false, false]);
    expect((await now(one.partnerId)).setup?.filter(({ done }) => !done).map(({ step }) => step)).toEqual(["first_signed_call"]);
    expect(await listCallbackGroups(database, { partnerId: empty.partnerId, state: "undelivered" })).toEqual([]);
    expect(await listEndpoints(database, { partnerId: empty.partnerId })).toEqual([]);
    // Nothing was sent, so nothing can be said of deliveries.
    expect(first.attention.anyCallback).toBe(false);
    expect(await countCallbacks(database, empty.partnerId)).toEqual({ pending: 0, retrying: 0, undelivered: 0, any: false });
    expect((await now(one.partnerId)).attention.anyCallback).toBe(true);
  });

  it("keeps a receiver in sight as long as something is not delivered to it, and says when that failed", async () => {
    const { id } = await enqueueTestCallback(database.db, empty, "https://gone.example/hook");
    await database.sql`update callbacks set state = 'undelivered', due_at = null, undelivered_at = now() - interval '9 days',
      failing_since = now() - interval '10 days' where id = ${id}`;
    const [receiver, ...others] = await listEndpoints(database, { partnerId: empty.partnerId });
    expect(others).toEqual([]);
    expect(receiver).toMatchObject({
      origin: "https://gone.example",
      undelivered: 1,
      taken7d: { taken: 0, of: 0 },
      consecutiveFailures: 0,
    });
    expect(Date.now() - (receiver?.lastFailureAt?.getTime() ?? 0)).toBeGreaterThan(8 * 86_400_000);
    expect(await countCallbacks(database, empty.partnerId)).toMatchObject({ undelivered: 1, any: true });
  });

  it(`answers within a statement's patience over ${MANY} settlements of a month`, async () => {
    const [{ id = "" } = {}] = await database.sql<{ id?: string }[]>`select id from settlements where approval_state = 'pending' limit 1`;
    const tasks = {
      "now, operator": () => now(null),
      "now, partner": () => now(one.partnerId),
      "figures, operator, 30 days": () => readOverviewFigures(database, month(null)),
      "figures, operator, 24 hours": () => readOverviewFigures(database, { partnerId: null, look: "24h" }),
      "figures, partner, 30 days": () => readOverviewFigures(database, month(one.partnerId)),
      "series, operator, 30 days": () => readOverviewSeries(database, month(null)),
      "series, operator, 24 hours": () => readOverviewSeries(database, { partnerId: null, look: "24h" }),
      "undelivered groups": () => listCallbackGroups(database, { partnerId: null, state: "undelivered" }),
      endpoints: () => listEndpoints(database, { partnerId: null }),
      "risk hints of one": () => readRiskHints(database, id),
    };
    for (const task of Object.values(tasks)) await task();
  });
});

/** A month of settlements of every outcome, by SQL as the owner; a quarter of the executed ones with a callback. */
async function fill(database: TestDatabase, terms: string, partners: readonly TestPartner[]): Promise<void> {
  await withConnection(database.url, (owner) => owner.begin((sql) => insertAll(sql, terms, partners)));
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
    select ${sql.unsafe(idAt("cb", "executed_at", "lpad(n::text, 16, '0')"))}, partner_id, id, api_key_id, 'settlement.executed', 'https://shop.example/cb', partner_id || ' https://shop.example', '{}',
      case when n % 20 = 0 then 'undelivered' else 'delivered' end, 1, case when n % 20 = 0 then 6 else 1 end, executed_at,
      case when n % 20 <> 0 then executed_at end, case when n % 20 = 0 then executed_at end
    from (select *, row_number() over (order by id) as n from settlements where status = 'executed') s where n % 4 = 0`;
  await sql`insert into callback_attempts (id, partner_id, callback_id, series, number, scheduled_at, sent_at, ended_at, duration_ms, response_status, error_kind, error)
    select 'ca_' || c.id || k, c.partner_id, c.id, 1, k, c.created_at, c.created_at, c.created_at, 40, case when c.state = 'delivered' then 200 else 503 end,
      case when c.state <> 'delivered' then 'status' end, case when c.state <> 'delivered' then 'The receiver answered 503.' end
    from callbacks c, generate_series(1, c.next_number) k`;
  await sql`analyze`;
}

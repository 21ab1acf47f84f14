import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { claimDue } from "#db/lease.ts";
import { findApiKeyByHash } from "#db/queries/access/api-keys.ts";
import { hintsFound } from "#db/queries/approval-policy/hints.ts";
import { listBrokenAnchors, listStrays, listUnsealed } from "#db/queries/audit/audit-seals.ts";
import { claimDueCallbacks, settleAttempts } from "#db/queries/callbacks/due-callbacks.ts";
import { askConfirming } from "#db/queries/exposure/ask-limits.ts";
import { listAmbiguous } from "#db/queries/fiat/fiat-work.ts";
import { findWithdrawalByExternalId } from "#db/queries/fiat/withdrawals.ts";
import { countAwaiting, countOpenTransfers, readBacklogs } from "#db/queries/maintenance/vitals.ts";
import { findMember } from "#db/queries/members/members.ts";
import { countTransactions, listTransactions } from "#db/queries/partners/partner-transactions.ts";
import { findSettlement, listOverdueApprovals, lockForChange } from "#db/queries/settlements/settlements.ts";
import { listLiquidity } from "#db/queries/transfers/liquidity.ts";
import { listOrphaned } from "#db/queries/transfers/orphaned-transfers.ts";
import { listDueTransactions } from "#db/queries/transfers/transactions.ts";
import { claimQueuedTransfers } from "#db/queries/transfers/transfers.ts";
import { listUnderway, sumMovedAbove } from "#db/queries/transfers/treasury-movements.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { enqueueTestCallback } from "./callbacks.ts";
import { TEST_CHAIN } from "./factories.ts";
import { type FiatBench, openFiatBench } from "./fiat.ts";

/**
 * Frequent queries read only what they return, not the whole history: PostgreSQL itself counts the rows that a statement touches, among
 * thousands. No timing is involved.
 */

const MANY = 3_000;
const URL = "http://localhost:9/";
/** The newest of each kind, and the page; a few more for related data. */
const FEW = 300;
const NOBODY = "00000000-0000-4000-8000-000000000000";

let bench: FiatBench;
let settlementId = "";
let quotedId = "";
beforeAll(async () => {
  bench = await openFiatBench();
  const quote = async () => {
    const settlement = await createSettlement(bench.ctx, {
      ...bench.partner,
      sourceAmountMinor: 100_000n,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      externalMerchantId: "m",
      chain: TEST_CHAIN.chain,
      walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      callbackUrl: URL,
    });
    return settlement.id;
  };
  settlementId = await quote();
  const confirmation = { externalTxId: "first", callbackUrl: null, expectedDestinationAmount: null };
  await confirmSettlement(bench.ctx, { ...bench.partner, id: settlementId, ...confirmation });
  await bench.withdraw({ externalId: "first" });
  await bench.topUp();
  await enqueueTestCallback(bench.db, bench.partner, URL);
  const owner = postgres(bench.database.url, { max: 1, onnotice: () => {} });
  // Many copies of the one that the services made; none of them is due, in flight, or promised.
  await owner.unsafe(`
    create temp sequence numbers;
    create function pg_temp.many(place text, change text) returns void language plpgsql as $$ begin
      execute format('create temp table copies as select t.* from %I t, generate_series(1, ${MANY})', place);
      execute 'alter sequence numbers restart';
      execute 'update copies set ' || change;
      execute format('alter table %I disable trigger user', place);
      execute format('insert into %I select * from copies', place);
      execute format('alter table %I enable trigger user', place);
      drop table copies;
    end $$`);
  const ended = "due_at = null, status = 'failed', failure_reason = 'x', external_id = gen_random_uuid()::text";
  for (const [place, change] of [
    ["members", "id = gen_random_uuid(), external_user_id = gen_random_uuid()::text, phone = '+254' || (100000000 + nextval('numbers'))"],
    ["settlements", "id = 'tx_' || gen_random_uuid(), external_tx_id = gen_random_uuid()::text"],
    [
      "transfers",
      "id = 'tr_' || gen_random_uuid(), owner_id = gen_random_uuid()::text, due_at = null, state = 'executed', executed_at = now(), tx_hash = '0x', block_number = nextval('numbers')",
    ],
    ["withdrawals", `id = 'wd_' || gen_random_uuid(), step = 'released', ${ended}`],
    ["topups", `id = 'tu_' || gen_random_uuid(), step = 'uncollected', ${ended}`],
    [
      "callbacks",
      "id = 'cb_' || gen_random_uuid(), subject_id = gen_random_uuid()::text, due_at = null, state = 'delivered', delivered_at = now()",
    ],
    ["audit_entries", "id = 'au_' || gen_random_uuid()"],
  ] as const)
    await owner`select pg_temp.many(${place}, ${change})`;
  // Each was held once because a screening had no answer.
  await owner`with v as (insert into payment_verdicts (id, purpose, owner_id, partner_id, "check", stage, outcome, findings, at)
      select 'vd_' || id, 'settlement', id, partner_id, 'screening', 'confirm', 'hold', '[]', now() from settlements returning *)
    insert into payment_holds (id, purpose, owner_id, partner_id, "check", verdict_id, keys, reason, held_at, outcome, decided_at)
      select 'ho_' || id, purpose, owner_id, partner_id, "check", id, '{list unanswered}', 'x', at, 'ended', at from v`;
  quotedId = await quote();
  await openLimits(bench.ctx);
  // Until all rows are marked as visible to everybody, which an index-only scan needs: the newest are too young for it at first.
  for (let marked = false; !marked; ) {
    await owner.unsafe("vacuum analyze");
    const [row] = await owner<{ marked: boolean }[]>`
      select bool_and(relallvisible >= relpages - 2) as marked from pg_class
      where relname in ('members', 'settlements', 'transfers', 'withdrawals', 'topups', 'callbacks')`;
    marked = row?.marked === true;
  }
  await owner.end();
});
afterAll(() => bench.close());

/** How many rows of which table the work reads. */
async function rowsRead(work: (tx: Database) => Promise<unknown>): Promise<Record<string, number>> {
  return await bench.db.transaction(async (tx) => {
    // With only some thousand rows, the planner sometimes reads all of them rather than an index. A query without an index always reads
    // them all.
    await tx.execute("set local enable_seqscan = off");
    const before = await countRead(tx);
    await work(tx);
    const after = await countRead(tx);
    return Object.fromEntries([...after].map(([table, read]) => [table, read - (before.get(table) ?? 0)]));
  });
}

/** So far, by this connection: it includes earlier transactions until the server has recorded them elsewhere. */
async function countRead(tx: Database): Promise<Map<string, number>> {
  const rows = await tx.execute<{ relname: string; read: string }>(
    "select relname, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables",
  );
  return new Map(rows.map(({ relname, read }) => [relname, Number(read)]));
}

/** How an attempt ended well, as it is written. */
const DELIVERED = {
  agoMs: 0,
  durationMs: 1,
  requestHeaders: {},
  responseStatus: 200,
  responseHeaders: {},
  responseBody: "",
  responseBytes: 0,
  timings: {},
  errorKind: null,
  error: null,
  remoteAddress: null,
  state: "delivered",
  nextNumber: 1,
  dueInSeconds: null,
} as const;

const PAGE = { skip: 0, limit: 25, position: null };

const findHint = (tx: Database, hint: string) =>
  tx.execute(sql`select ${hintsFound(sql`${`{${hint}}`}::text[]`, "whole")} from (select s.id, s.partner_id, s.external_merchant_id as merchant,
    s.wallet_address as wallet, s.source_amount_minor as amount_minor, s.source_currency as currency, s.api_key_id, s.created_at as at
    from settlements s where s.id = ${settlementId}) as q`);

const STATEMENTS: Record<string, (tx: Database) => Promise<unknown>> = {
  "a settlement by its id": (tx) => findSettlement(tx, settlementId, bench.partner.partnerId),
  "a settlement, held": (tx) => lockForChange(tx, [{ id: settlementId, partnerId: bench.partner.partnerId }]),
  "a key by its hash": (tx) => findApiKeyByHash(tx, "unknown"),
  "a member by its reference": (tx) => findMember(tx, bench.partner.partnerId, "user-1"),
  "a member by its id": (tx) => findMember(tx, bench.partner.partnerId, bench.memberId),
  "a withdrawal by its reference": (tx) => findWithdrawalByExternalId(tx, bench.partner.partnerId, "first"),
  "a partner's page of all transactions": (tx) => listTransactions(tx, { partnerId: bench.partner.partnerId }, PAGE),
  "a partner's page of all transactions beyond a place": (tx) =>
    listTransactions(tx, { partnerId: bench.partner.partnerId }, { ...PAGE, position: { createdAt: new Date(), id: "tx_1" } }),
  "the operator's page of all transactions": (tx) => listTransactions(tx, {}, PAGE),
  "how many transactions a partner has": (tx) => countTransactions(tx, { partnerId: bench.partner.partnerId }),
  "how many transactions there are": (tx) => countTransactions(tx, {}),
  "a page of one kind within a time": (tx) =>
    listTransactions(tx, { type: "settlement", createdFrom: new Date(Date.now() + 60_000) }, PAGE),
  "withdrawals that are due": (tx) => claimDue(tx, "withdrawals", { token: NOBODY, limit: 10 }),
  "due work of all kinds": (tx) => readBacklogs(tx),
  "open transfers by state": (tx) => countOpenTransfers(tx),
  "what waits for people": (tx) => countAwaiting(tx),
  "approvals overdue": (tx) => listOverdueApprovals(tx, new Date(), 100),
  "entries to seal": (tx) => listUnsealed(tx, 100),
  "anchors of the audit log": (tx) => listBrokenAnchors(tx),
  "transactions to look at": (tx) => listDueTransactions(tx, NOBODY, 10),
  "transfers to sign": (tx) =>
    claimQueuedTransfers(tx, { chain: TEST_CHAIN.chain, wallets: { held: [], known: [] }, token: NOBODY, limit: 10 }),
  "transfers orphaned": (tx) => listOrphaned(tx, TEST_CHAIN.chain, 10),
  "what can still be promised": (tx) => listLiquidity(tx),
  "orders nobody can tell of": (tx) => listAmbiguous(tx, 10),
  "callbacks that are due": async (tx) => {
    const room = { limit: 100, rooms: {}, otherwise: 8, closedPartners: [] };
    const [due] = await claimDueCallbacks(tx, NOBODY, room, new Date());
    expect(due).toMatchObject({ number: 1, series: 1 });
    if (due) expect((await settleAttempts(tx, [{ ...due, ...DELIVERED }])).written.size).toBe(1);
  },
  "what moved above a height": (tx) => sumMovedAbove(tx, { chain: TEST_CHAIN.chain, currency: "USDT" }, MANY - 1),
  "what is on its way": (tx) => listUnderway(tx, TEST_CHAIN.chain),
  "whether a wallet was ever screened": (tx) => findHint(tx, "screened_before"),
  "whether a wallet was ever paid, that much was promised to": (tx) => findHint(tx, "first_wallet_use"),
  "a live service's limits of a confirmation, to a wallet of many": async (tx) => {
    const [asked] = await askConfirming(tx, [{ ...bench.partner, id: quotedId }]);
    expect(asked?.limits.filter(({ kind }) => kind === "new_destination")).toHaveLength(1);
  },
  "entries put in past the service, of a stretch": (tx) => listStrays(tx, { from: "au_ffff", before: "au_fffg" }),
};

describe("reads no more than it answers, of thousands:", () => {
  it.each(Object.entries(STATEMENTS))("%s", async (_name, work) => {
    const read = await rowsRead(work);
    expect(Object.entries(read).filter(([, rows]) => rows > FEW)).toEqual([]);
  });

  it("and what reads all of them is seen by that count", async () => {
    expect((await rowsRead((tx) => tx.execute("select sum(length(members::text)) from members"))).members).toBeGreaterThan(MANY);
  });
});

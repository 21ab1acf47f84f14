import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { claimDue } from "#db/lease.ts";
import { countApiRefusals, findRefusedRequest, forgetRefusedBefore, listApiRequests } from "#db/queries/access/api-requests.ts";
import { deleteAnswersBefore } from "#db/queries/access/idempotency-keys.ts";
import { deleteOldNonces } from "#db/queries/access/nonces.ts";
import { listPastSettlements } from "#db/queries/approval-policy/past-settlements.ts";
import { browseAudit } from "#db/queries/audit/browse-audit.ts";
import { ledgerRules } from "#db/queries/audit/rules/ledger.ts";
import { askRule } from "#db/queries/audit/rules/rule.ts";
import { browseCallbacks } from "#db/queries/callbacks/browse-callbacks.ts";
import { listCallbackGroups } from "#db/queries/callbacks/callback-groups.ts";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { claimDueCallbacks } from "#db/queries/callbacks/due-callbacks.ts";
import { listEndpointHealth } from "#db/queries/callbacks/endpoint-health.ts";
import { findPlace } from "#db/queries/events/destinations.ts";
import { deleteEventsBefore } from "#db/queries/events/keep-events.ts";
import { readEventPage } from "#db/queries/events/read-events.ts";
import { askBeforeSigning } from "#db/queries/exposure/ask-limits.ts";
import { browseTopups, browseWithdrawals } from "#db/queries/fiat/browse-orders.ts";
import { listPools } from "#db/queries/fiat/fiat-pools.ts";
import { listAmbiguous } from "#db/queries/fiat/fiat-work.ts";
import { sumPromisedOfSafe } from "#db/queries/fiat/withdrawals.ts";
import { listEndedWaits, listPayoutWaits } from "#db/queries/holds/ended-waits.ts";
import { listHoldsOf, listOpenHolds, listVerdictsOf, lockOpenHolds } from "#db/queries/holds/payment-holds.ts";
import { listAccountLines, listLedgerBalances, readBookedTreasury } from "#db/queries/ledger/ledger-balances.ts";
import { listNetworkFees, listNewestCosts, sumFeesAbove, sumFeesOf, sumFeesUpTo } from "#db/queries/ledger/network-fees.ts";
import { listStatementLines } from "#db/queries/ledger/statement-lines.ts";
import { archiveRows, listNext } from "#db/queries/maintenance/retention.ts";
import { countAwaiting, countOpenTransfers, readBacklogs } from "#db/queries/maintenance/vitals.ts";
import { browseMembers } from "#db/queries/members/members.ts";
import { enterEscalation, listOverdueWork } from "#db/queries/notifications/escalations.ts";
import { approvalsThatWait, enterFacts, newPayees, receiversGivenUp, settlementsHalfApproved } from "#db/queries/notifications/facts.ts";
import { lockOwedFollowUps } from "#db/queries/notifications/follow-ups.ts";
import {
  claimMessages,
  deleteDeliveredBefore,
  listNotifications,
  lockUnplanned,
  markRead,
  readMessage,
} from "#db/queries/notifications/messages.ts";
import { countUnread, readSettled } from "#db/queries/notifications/subjects.ts";
import { readAttention } from "#db/queries/overview/attention.ts";
import { countCallbackSuccess, countOutcomes, readMedians } from "#db/queries/overview/overview.ts";
import { listWork } from "#db/queries/overview/work-queue.ts";
import { listBatchDestinations } from "#db/queries/screening/destinations.ts";
import {
  countQueue,
  listAwaitingDecision,
  listDecisionsOf,
  listLapsedAfterApproval,
  listPendingTo,
} from "#db/queries/settlements/approval-queue.ts";
import {
  findBatch,
  findBatchByExternalId,
  listBatches,
  listEnded,
  listItems,
  listTakenReferences,
} from "#db/queries/settlements/batches.ts";
import { type BrowseFilter, browseSettlements } from "#db/queries/settlements/browse-settlements.ts";
import { listSettlements } from "#db/queries/settlements/list-settlements.ts";
import { askQuoteConditions } from "#db/queries/settlements/quote-conditions.ts";
import { readRiskFacts } from "#db/queries/settlements/risk-facts.ts";
import { findSettlementIds } from "#db/queries/settlements/search-settlements.ts";
import { listDemands } from "#db/queries/settlements/settlement-approvals.ts";
import { listHistory } from "#db/queries/settlements/settlement-story.ts";
import { listOverdueApprovals, listOverdueBatches } from "#db/queries/settlements/settlements.ts";
import { listMinedAbove, sumInFlight } from "#db/queries/transfers/in-flight.ts";
import {
  findLargestLapsingFee,
  hasLapsingAttemptThatMayPay,
  hasOpenLapsing,
  highestLapsingBlock,
  listLapsingClaims,
  listLapsingOf,
  listOpenLapsingClaims,
  takeDueLapsing,
} from "#db/queries/transfers/lapsing-attempts.ts";
import { listLiquidity } from "#db/queries/transfers/liquidity.ts";
import { listMissingNonces, listOrphanedNonces } from "#db/queries/transfers/orphaned-nonces.ts";
import { listExecutedAbove, listOrphaned } from "#db/queries/transfers/orphaned-transfers.ts";
import { countSuperseded } from "#db/queries/transfers/superseded-transactions.ts";
import { listTransactionsOf } from "#db/queries/transfers/transactions.ts";
import { claimQueuedTransfers } from "#db/queries/transfers/transfers.ts";
import { blockBeforeTransfers, listUnderway, sumMovedAbove } from "#db/queries/transfers/treasury-movements.ts";
import { listKeptHashes, listUnexplained } from "#db/queries/transfers/unexplained-payments.ts";
import { EVENT_AUDIENCES } from "#domain/event.ts";
import { OUTSIDE } from "#domain/notification.ts";
import { POLICY_HINTS } from "#domain/policy-rule.ts";
import { RETAINED } from "#domain/retention.ts";
import { ROLES_OF_WORK } from "#domain/work-queue.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { TEST_CHAIN } from "./factories.ts";

/**
 * An index that nothing uses is still written for every settlement, for ever; a statement without an index reads the whole history.
 * PostgreSQL's plans show both, on empty tables too: sequential scans are discouraged where there is another way.
 */

/** What grows with the history: a row or more for each settlement, order or request. */
const GROWING = [
  "settlements",
  "settlement_batches",
  "settlement_quotes",
  "audit_entries",
  "audit_seals",
  "events",
  "transfers",
  "transactions",
  "transaction_attempts",
  "callbacks",
  "callback_attempts",
  "ledger_entries",
  "ledger_postings",
  "network_fees",
  "api_requests",
  "nonces",
  "idempotency_keys",
  "members",
  "withdrawals",
  "topups",
  "payment_verdicts",
  "payment_holds",
  "approval_demands",
  "lapsing_attempts",
  "notifications",
  "notification_messages",
];

const { chain } = TEST_CHAIN;
const partnerId = randomUUID();
const token = randomUUID();
const page = { limit: 26, position: null, direction: "older" } as const;
const now = new Date();
const scope = { partnerId: null, from: new Date(now.getTime() - 86_400_000), to: now };
const browse = (filter: BrowseFilter) => (db: Database) => browseSettlements(db, filter, page);
const money = { sourceCurrency: "KES", destinationCurrency: "USDT", sourceAmountMinor: 100_000n };

/** The queries: the surfaces, the console's lists and figures, the worker's claims and its duties. */
const STATEMENTS: Record<string, (db: Database) => Promise<unknown>> = {
  "what was held of payments": (db) => listHoldsOf(db, ["tx_1", "tx_2"]),
  "waits that are over, or whose payee was approved": (db) => listEndedWaits(db, 200),
  "why withdrawals wait": (db) => listPayoutWaits(db, ["wd_1", "wd_2"]),
  "what checks said of a payment": (db) => listVerdictsOf(db, "tx_1"),
  "payments that are held": (db) => listOpenHolds(db, 100),
  "whether a payment is held": (db) => lockOpenHolds(db, { purpose: "settlement", ownerId: "tx_1" }),
  "what limits a payment": (db) => askBeforeSigning(db, ["tr_1"], "w"),
  "what a quote has to wait for": async (db) => {
    await askQuoteConditions(db, [{ partnerId, ...money, chain, apiKeyId: token, recipient: "0x1", externalMerchantId: "m" }]);
  },
  "a partner's batches": (db) => listBatches(db, { partnerId }, page),
  "a batch with what its items come to": (db) => findBatch(db, "ba_1", partnerId),
  "a batch by its partner's name": (db) => findBatchByExternalId(db, partnerId, "b"),
  "the items of a batch": (db) => listItems(db, { id: "ba_1", partnerId }),
  "batches whose items have all ended": (db) => listEnded(db, [{ id: "ba_1", partnerId }]),
  "references that are taken": (db) => listTakenReferences(db, partnerId, ["r"]),
  "batches that wait for too long": (db) => listOverdueBatches(db, now, 10),
  "recipients of a batch": (db) => listBatchDestinations(db, "ba_1", partnerId),
  "what the approval policy asked": (db) => listDemands(db, ["tx_1", "tx_2"]),
  "what a draft of it would have asked": (db) => listPastSettlements(db, { ...scope, hints: POLICY_HINTS, after: null, limit: 10 }),
  "a partner's settlements": (db) => listSettlements(db, { partnerId }, page),
  "a partner's settlements of a merchant": (db) => listSettlements(db, { partnerId, externalMerchantId: "m" }, page),
  "a partner's settlements by wallet": (db) => listSettlements(db, { partnerId, walletAddress: "0x1" }, page),
  "a partner's settlements by hash": (db) => listSettlements(db, { partnerId, txHash: "0x1" }, page),
  "a partner's settlements that have changed": (db) => listSettlements(db, { partnerId, updatedFrom: now }, page),
  "everybody's settlements": browse({}),
  "quotes that hold": browse({ view: "quoted" }),
  "settlements under way": browse({ view: "processing" }),
  "settlements that failed today": browse({ failedToday: true }),
  "settlements with a callback that waits": browse({ callbackState: "pending" }),
  "settlements that somebody decided": browse({ decidedBy: token }),
  "settlements by approval": browse({ approval: "rejected" }),
  "settlements of an amount": browse({ sourceCurrency: "KES", amountFrom: 1n, amountTo: 2n }),
  "settlements executed within a time": browse({ executedFrom: scope.from, executedTo: now }),
  "a settlement by its hash": (db) => findSettlementIds(db, { by: "tx_hash", text: "0x1" }, 5),
  "a settlement by its wallet": (db) => findSettlementIds(db, { by: "wallet", text: "0x1" }, 5),
  "what is known of a wallet, a merchant, an amount": (db) =>
    readRiskFacts(db, { id: "tx_1", partnerId, externalMerchantId: "m", walletAddress: "0x1", ...money, createdAt: now }),
  "approvals that wait": (db) => listAwaitingDecision(db, { approvedOnce: false, limit: 10 }),
  "what the simulated admin decides": (db) => listPendingTo(db, { endings: ["999951"], forSeconds: 5, limit: 10 }),
  "who gets which notification": async (db) => {
    const notice = { kind: "approval_waits", roles: ["admin"] } as const;
    for (const facts of [approvalsThatWait, settlementsHalfApproved, receiversGivenUp, newPayees])
      await enterFacts(db, { ...notice, facts }, now);
  },
  "one's notifications": async (db) => {
    await listNotifications(db, token, 10);
    await countUnread(db, token);
    await markRead(db, token, null, now);
  },
  "notifications that are settled or old": async (db) => {
    await readSettled(db, now, 10);
    await deleteDeliveredBefore(db, now, 10);
  },
  "notifications to plan and to send": async (db) => {
    await lockUnplanned(db, 10);
    for (const channel of OUTSIDE) {
      await claimMessages(db, { channel, token, limit: 10, now, but: [] });
      await readMessage(db, { id: token, userId: token, channel, tries: 1, token });
    }
  },
  "decisions that chats hear": async (db) => void (await lockOwedFollowUps(db, 10)),
  "decisions to pass on": async (db) => {
    await listOverdueWork(db, ROLES_OF_WORK, 60, now, 10);
    await listWork(db, token, 10);
    await enterEscalation(db, { kind: "settlement", subject: "tx_1", detail: "a partner" }, ["admin"], now);
  },
  "approvals overdue": (db) => listOverdueApprovals(db, now, 100),
  "approvals lapsed": (db) => listLapsedAfterApproval(db, 10),
  "one's decisions": (db) => listDecisionsOf(db, token, 10),
  "counts of the queue": (db) => countQueue(db, token, 100),
  "what needs attention": (db) => readAttention(db, null),
  "a partner's attention": (db) => readAttention(db, partnerId),
  "outcomes of a range": (db) => countOutcomes(db, scope, 3_600),
  "medians of a range": (db) => readMedians(db, scope),
  "callbacks of a range": (db) => countCallbackSuccess(db, scope, 3_600),
  "the history of an object": (db) => listHistory(db, ["tx_1"]),
  "a partner's audit log": (db) => browseAudit(db, { partnerId }, page),
  "callbacks of a settlement": (db) => listCallbacksOf(db, ["tx_1"]),
  "a partner's callbacks": (db) => browseCallbacks(db, { partnerId }, page),
  "groups of undelivered callbacks": (db) => listCallbackGroups(db, { partnerId, state: "undelivered" }, 10),
  "groups of callbacks that are retried": (db) => listCallbackGroups(db, { partnerId, state: "retrying" }, 10),
  "health of receivers": (db) => listEndpointHealth(db, null, now, 10),
  "callbacks that are due": (db) => claimDueCallbacks(db, token, { limit: 10, rooms: {}, otherwise: 4, closedPartners: [] }, now),
  "a partner's requests": (db) => listApiRequests(db, { partnerId }, page),
  "everybody's requests": (db) => listApiRequests(db, {}, page),
  "requests of a settlement": (db) => listApiRequests(db, { settlementId: "tx_1" }, page),
  refusals: (db) => countApiRefusals(db, { partnerId }, 10),
  "a refused request": (db) => findRefusedRequest(db, "req_1"),
  "what goes to the archive": (db) =>
    Promise.all(
      RETAINED.map((kind) => listNext(db, kind, { after: "", before: now, limit: 10 }).then(() => archiveRows(db, kind, [], now))),
    ),
  "bodies to forget": (db) => forgetRefusedBefore(db, now, 10),
  "nonces to forget": (db) => deleteOldNonces(db, 1_200, 10),
  "answers to forget": (db) => deleteAnswersBefore(db, now, 10),
  "transfers to sign": (db) => claimQueuedTransfers(db, { chain, wallets: { held: [], known: [] }, token, limit: 10 }),
  "transactions of transfers": (db) => listTransactionsOf(db, ["tr_1"]),
  "transactions put aside": (db) => countSuperseded(db, "tr_1"),
  "transfers orphaned": (db) => listOrphaned(db, chain, 10),
  "places orphaned": (db) => listOrphanedNonces(db, chain),
  "nonces that are missing": (db) => listMissingNonces(db, token, { from: 3, below: 6 }, 10),
  "lapsing attempts that are due": async (db) => {
    await takeDueLapsing(db, chain, { limit: 10, againInMs: 1 });
    await hasOpenLapsing(db, chain);
    await listOpenLapsingClaims(db, chain);
  },
  "what lapsing attempts may take out of a wallet": (db) => listLapsingClaims(db, chain, { wallet: "0x1", above: 7 }),
  "lapsing attempts of a payment": async (db) => {
    await listLapsingOf(db, "tr_1");
    await hasLapsingAttemptThatMayPay(db, "tr_1");
  },
  "the highest block of lapsing attempts": (db) => highestLapsingBlock(db, chain),
  "what lapsing attempts cost at most": (db) => findLargestLapsingFee(db, chain),
  "unexplained payments": async (db) => {
    await listUnexplained(db, chain, { recipients: ["0x1"], senders: ["0x2"] });
    await listKeptHashes(db, chain, ["0x1"]);
  },
  "transfers above a height": (db) => listMinedAbove(db, chain, 7),
  "executed transfers above a height": (db) => listExecutedAbove(db, chain, 7),
  "what a wallet has under way": (db) => sumInFlight(db, token, 7),
  "what moved above a height": (db) => sumMovedAbove(db, { chain, currency: "USDT" }, 7),
  "where a chain's transfers begin": (db) => blockBeforeTransfers(db, chain),
  "fees of attempts": (db) => listNetworkFees(db, ["0x1"]),
  "fees of a transfer": (db) => sumFeesOf(db, "tr_1"),
  "fees above a height": (db) => sumFeesAbove(db, chain, 7),
  "fees of attempts down to a height": (db) => sumFeesUpTo(db, ["0x1"], 7),
  "costs of the newest attempts": (db) => listNewestCosts(db, { chain, height: 7, limit: 10 }),
  "what the books may not say yet": (db) => listUnderway(db, chain),
  "open transfers": (db) => countOpenTransfers(db),
  "due work": (db) => readBacklogs(db),
  "what waits for people": (db) => countAwaiting(db),
  balances: (db) => listLedgerBalances(db),
  "an account's newest lines": (db) => listAccountLines(db, { account: "treasury", partnerId: null, currency: "USDT", chain }, 25),
  "a partner's newest lines": (db) => listAccountLines(db, { account: "partner_receivable", partnerId, currency: "KES", chain: null }, 25),
  "what can still be promised": (db) => listLiquidity(db),
  "the rules of the ledger": (db) => Promise.all(ledgerRules(now).map((rule) => askRule(db, rule))),
  pools: (db) => listPools(db),
  "a partner's events": (db) => readEventPage(db, { partnerId, audiences: EVENT_AUDIENCES, types: null }, null, 10),
  "events that are deleted": (db) => deleteEventsBefore(db, "ev_1", 10),
  "where events of a day begin": (db) => findPlace(db, partnerId, scope.from),
  "the treasury": (db) => readBookedTreasury(db, { chain, currency: "USDT" }),
  "a partner's statement": (db) => listStatementLines(db, { partnerId, from: scope.from, to: now }),
  members: (db) => browseMembers(db, {}, page, now),
  "a partner's members": (db) => browseMembers(db, { partnerId }, page, now),
  withdrawals: (db) => browseWithdrawals(db, {}, page),
  "a partner's withdrawals": (db) => browseWithdrawals(db, { partnerId }, page),
  "a member's withdrawals": (db) => browseWithdrawals(db, { memberId: token }, page),
  "top-ups": (db) => browseTopups(db, {}, page),
  "a partner's top-ups": (db) => browseTopups(db, { partnerId }, page),
  "a member's top-ups": (db) => browseTopups(db, { memberId: token }, page),
  "withdrawals that are due": (db) => claimDue(db, "withdrawals", { token, limit: 10 }),
  "top-ups that are due": (db) => claimDue(db, "topups", { token, limit: 10 }),
  "orders nobody can tell of": (db) => listAmbiguous(db, 10),
  "what a Safe has promised": (db) => sumPromisedOfSafe(db, { chain, safeAddress: "0x1", tokenAddress: null }),
};

/** A line of a plan each, of every statement that was sent. */
const plans: Promise<string[]>[] = [];
let database: TestDatabase;
let driver: postgres.Sql;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  driver = postgres(database.url, { max: 2, connection: { enable_seqscan: "off" } });
  const { unsafe } = driver;
  const explaining = (...[text, values, options]: Parameters<typeof unsafe>) => {
    plans.push(unsafe<{ "QUERY PLAN": string }[]>(`explain ${text}`, values).then((rows) => rows.map((row) => row["QUERY PLAN"])));
    return unsafe(text, values, options);
  };
  db = drizzle(Object.assign(driver, { unsafe: explaining }), { casing: "snake_case" });
});
afterAll(async () => {
  await driver.end();
  await database.close();
});

/** Where the plans of these statements begin. */
async function plansOf(work: (db: Database) => Promise<unknown>): Promise<number> {
  const from = plans.length;
  await work(db);
  expect(plans.length).toBeGreaterThan(from);
  return from;
}

/** The growing tables that a statement scans sequentially, although that was discouraged. */
async function scanned(from: number): Promise<string[]> {
  return [...new Set((await found(/Seq Scan on (\w+)/, from)).map(inOnePiece).filter((table) => GROWING.includes(table)))];
}

/** A partition of a table, or of its index, by the parent's name. */
function inOnePiece(name: string): string {
  return name.replace(/_\d+$/, "");
}

async function found(pattern: RegExp, from = 0): Promise<string[]> {
  return (await Promise.all(plans.slice(from))).flat().flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

/** Only the version before reads these. The next release drops them. */
const OF_THE_VERSION_BEFORE = ["transfers_promised", "transfers_state"];

/** Indexes of the growing tables that nothing used, except for those of a constraint, a foreign key or the version before. */
async function unread(): Promise<string[]> {
  const rows = await database.db.execute<{ index: string }>(sql`
    select i.relname as index from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where not x.indisunique and t.relname in (select jsonb_array_elements_text(${JSON.stringify(GROWING)}::jsonb))
      and not exists (select 1 from pg_constraint c where c.contype = 'f' and c.conrelid = t.oid and c.conkey[1] = x.indkey[0] and x.indnatts = 1)
    order by 1`);
  const read = new Set((await found(/(?:using|Index Scan on) (\w+)/)).map(inOnePiece));
  return rows.map(({ index }) => index).filter((index) => !read.has(index) && !OF_THE_VERSION_BEFORE.includes(index));
}

/**
 * Conditions that read the clock for every row: no index serves them. `(select business_now())` reads it once, and so does a row from a
 * lower plan node, which a plan shows in brackets.
 */
async function clockedRows(from: number): Promise<string[]> {
  const conditions = await found(/((?:Cond|Filter): .*)/, from);
  return conditions.filter((condition) => condition.replaceAll("(business_now())", "").includes("business_now()"));
}

describe("finds its rows by an index, and reads the clock once:", () => {
  it.each(Object.entries(STATEMENTS))("%s", async (_name, work) => {
    const from = await plansOf(work);
    expect(await scanned(from)).toEqual([]);
    expect(await clockedRows(from)).toEqual([]);
  });

  it("and what no index serves is seen", async () => {
    const from = await plansOf((tx) => tx.execute(sql`select 1 from settlements where rejection_reason = 'x'`));
    expect(await scanned(from)).toEqual(["settlements"]);
  });

  it("and what reads the clock with every row is seen", async () => {
    const from = await plansOf((tx) => tx.execute(sql`select 1 from callbacks where due_at <= business_now()`));
    expect(await clockedRows(from)).not.toEqual([]);
  });
});

it("no index is written for nothing", async () => {
  expect(await unread()).toEqual([]);
  await driver`create index for_nothing on settlements (rejection_reason)`;
  expect(await unread()).toEqual(["for_nothing"]);
});

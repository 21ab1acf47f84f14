import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { seedYear } from "#bench/year-seed.ts";
import { scopedTo } from "#db/client.ts";
import { askConfirming } from "#db/queries/exposure/ask-limits.ts";
import type { UserRole } from "#domain/access.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { isRefusal } from "#domain/refusal.ts";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import { RIGHTS } from "#server/console/rights-fixture.ts";
import { BATCH, ID, PAIR, TERMS, TX } from "#server/console/rights-inputs-fixture.ts";
import { appRouter } from "#server/console/router.ts";
import type { TrpcContext } from "#server/console/trpc/context.ts";
import { liveHub } from "#server/console/trpc/live-hub.ts";
import { openApiLog } from "#server/services/access/log-api-requests.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import type { SessionHolder } from "#server/services/people/sessions/sessions.ts";
import { testContext } from "./surface.ts";
import { openYear, type YearStage } from "./year-stage.ts";

/**
 * No screen of the console reads a year to show a day. PostgreSQL counts the rows that each query reads in a database with a year of
 * settlements. A page, a day and a partner's month are much less than what it may read.
 */

const SETTLEMENTS = 40_000;
/** Counts stop at 10,000. */
const MOST = 11_000;
/** It has half of all settlements: 20,000. */
const PARTNER = "00000000-0000-4000-8000-000000000001";

/** The table of which a query may read more, and why. */
const MAY: Readonly<Record<string, { table: string; why: string }>> = {
  "settlements.exportSize": { table: "settlements", why: "it counts what an export would have, up to the most that one may have" },
  "settlements.search": { table: "settlements", why: "a partner's people look for the beginning of a reference in all their settlements" },
  "statements.month": {
    table: "ledger_entries",
    why: "of the partner with half of all settlements a month is too much for single look-ups",
  },
};

/** They are about a member, an order, an incident, an invitation, a batch, a job, a refused request or a review, of which the year has none. */
const ABOUT_NOTHING: readonly string[] = [
  "apiLog.explain",
  "approvals.batchItems",
  "approvals.preview",
  "batches.byIds",
  "callbacks.job",
  "fiat.topup",
  "fiat.withdrawal",
  "incidents.byId",
  "members.byId",
  "members.checkWallet",
  "members.safe",
  "people.invitation",
  "safes.byId",
  "session.signInByPasskey",
  "treasury.review",
];
const REFUSED_BY_TROUBLE: readonly string[] = ["internal_error", "temporarily_unavailable"];

const Procedures = z.record(
  z.string(),
  z.custom<{ _def: { type: string } }>((procedure) => typeof procedure === "function"),
);
const QUERIES = Object.entries(Procedures.parse(appRouter._def.procedures))
  .filter(([, { _def }]) => _def.type === "query")
  .map(([path]) => path);

let year: YearStage;
let newest: Newest = { settlement: "", hash: "", callback: "", request: "", merchant: "" };
/** Queries that were answered, by a role. */
const answered = new Set<string>();
beforeAll(async () => {
  year = await openYear((database) => seedYear(database, SETTLEMENTS));
  const [row] = await year.owner<Newest[]>`
    select s.id as settlement, s.tx_hash as hash, s.external_merchant_id as merchant, c.id as callback, r.id as request
    from settlements s join callbacks c on c.subject_id = s.id join api_requests r on r.settlement_id = s.id
    where s.partner_id = ${PARTNER} and s.status = 'executed' order by s.created_at desc limit 1`;
  if (row === undefined) throw new Error("the year has no settlement that ended");
  newest = row;
});
afterAll(() => year.close());

type Newest = { settlement: string; hash: string; callback: string; request: string; merchant: string };

/** What people ask: about what exists, and about all of it. Other queries are asked with nothing, and about a partner. */
const askedFor = ({ settlement, hash, callback, request, merchant }: Newest): Record<string, unknown[]> => ({
  "apiLog.since": [{ cursor: null }],
  "apiLog.byId": [{ request_id: request }],
  "apiLog.explain": [{ request_id: request }],
  "people.list": [{}, { of: "partners" }],
  "people.devices": [{ user_id: "10000000-0000-4000-8000-000000000001" }],
  // A range of 30 days adds up the settlements of 30 days.
  "overview.figures": [{ range: "24h" }],
  "overview.series": [{ range: "24h" }],
  "rates.history": [{ ...PAIR, partner_id: null }],
  "rates.preview": [{ ...PAIR, partner_id: null, terms: TERMS }],
  "rates.convert": [{ from: "KES", to: "USDT", amount: "100" }],
  "settlements.list": [{}, { view: "processing" }, { view: "failed", failed_today: true }, { merchant }, { callbacks: "undelivered" }],
  "settlements.since": [{ cursor: null }],
  "settlements.rows": [{ tx_ids: [settlement] }],
  "settlements.search": [{ text: settlement }, { text: hash }, { text: merchant }, { text: "no-such-reference" }],
  "settlements.byId": [{ tx_id: settlement }],
  "settlements.paymentReceipt": [{ tx_id: settlement }],
  "settlements.networkCost": [{ tx_id: settlement }],
  "settlements.neighbours": [{ tx_id: settlement }],
  "approvals.preview": [{ tx_id: settlement }],
  "approvals.risk": [{ tx_ids: [settlement] }],
  "approvals.past": [{ tx_id: settlement }],
  "approvals.batchItems": [{ batch_id: BATCH }],
  "approvalPolicy.demand": [{ tx_id: settlement }],
  "callbacks.list": [{}, { state: "undelivered" }],
  "callbacks.groups": [{ state: "undelivered" }, { state: "retrying" }],
  "callbacks.endpoints": [{}, { partner_id: PARTNER }],
  "callbacks.byId": [{ id: callback }],
  "safes.list": [{}],
  "audit.list": [{}, { object: settlement }],
  "audit.ofObject": [{ object_id: settlement }],
  "partners.list": [{}],
  "partners.slug": [{ slug: "partner-1" }],
  "partners.wallet": [{ wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }],
});

function inputsOf(path: string, role: UserRole): unknown[] {
  const known = askedFor(newest)[path];
  if (known !== undefined) return known;
  const { input } = RIGHTS[path] ?? {};
  if (input !== undefined) return [JSON.parse(JSON.stringify(input).replaceAll(ID, PARTNER).replaceAll(TX, newest.settlement))];
  return role === "admin" ? [undefined, {}, { partner_id: PARTNER }] : [undefined, {}];
}

function holderOf(role: UserRole): SessionHolder {
  const partnerId = role === "owner" ? PARTNER : null;
  return {
    sessionId: randomUUID(),
    sidHash: randomUUID(),
    lastSeenAt: new Date(),
    expiresAt: new Date(Date.now() + 3_600_000),
    steppedUpAt: new Date(),
    steppedUpByCode: false,
    provenByProvider: false,
    hasTotp: true,
    hasPasskey: false,
    viewedBy: null,
    userId: `10000000-0000-4000-8000-00000000000${role === "owner" ? 3 : 1}`,
    email: "person@example.com",
    name: "Person",
    role,
    partnerId,
    partnerName: partnerId && "Partner 1",
  };
}

const SETTINGS: TrpcContext["settings"] = {
  mode: "sandbox",
  brand: "Service",
  baseUrl: "http://localhost:3000",
  rateSource: "fixed",
  rateMaxAgeSeconds: 120,
  retention: DEFAULT_RETENTION,
  rateLimits: { writesPerSecond: 0, readsPerSecond: 0 },
  trustedProxies: [],
  callbackAllowedHosts: [],
  playMoney: true,
};

async function ask(path: string, role: UserRole, input: unknown): Promise<void> {
  const services = testContext(year.db);
  const holder = holderOf(role);
  const session = { holder, readHolder: async () => holder, renewCookie: async () => {}, lapsesAt: null, address: "10.1.1.1" };
  const powers = { services, live: liveHub(services), apiLog: openApiLog(services), ending: new AbortController().signal };
  const caller: unknown = appRouter.createCaller({ ...powers, ...session, settings: SETTINGS, requestId: `req_${randomUUID()}` });
  const query = path.split(".").reduce<unknown>((found, part) => Reflect.get(Object(found), part), caller);
  if (typeof query !== "function") throw new Error(`there is no ${path}`);
  try {
    await query(input);
    answered.add(path);
  } catch (error) {
    // The other role, or another input, is answered. What PostgreSQL cancels is not refused, and broke.
    const cause = error instanceof Error ? error.cause : null;
    if (!isRefusal(cause) || REFUSED_BY_TROUBLE.includes(cause.code)) throw error;
  }
}

describe.each(["admin", "owner"] as const)("of a year, for the role %s, few rows are read by", (role) => {
  it.each(QUERIES)("%s", async (path) => {
    const much: string[] = [];
    for (const input of inputsOf(path, role)) {
      const read = await year.rowsRead(() => ask(path, role, input));
      much.push(
        ...[...read]
          .filter(([table, rows]) => rows > MOST && MAY[path]?.table !== table)
          .map(([table, rows]) => `${rows} rows of ${table}, ${JSON.stringify(input)}`),
      );
    }
    expect(much).toEqual([]);
  });
});

it("asks each of them so that it is answered, but for those about what the year has none of", () => {
  expect(QUERIES.filter((path) => !answered.has(path) && !ABOUT_NOTHING.includes(path))).toEqual([]);
});

it("of a year, few postings are read by a confirmation under a credit line, which the partner's role asks", async () => {
  const terms = {
    ...BLANK_LIMIT,
    id: "credit",
    kind: "credit_line",
    mode: "enforce",
    sourceCurrency: "KES",
    amountAtto: 10n ** 30n,
  } as const;
  expect(await openLimits(year, [terms], "for a test")).toEqual(["credit"]);
  const busy = "00000000-0000-4000-8000-000000000001";
  const [quoted] = await year.owner<{ id: string }[]>`
    select id from settlements where partner_id = ${busy} and status = 'quoted' and source_currency = 'KES' order by created_at desc limit 1`;
  const asked = [{ id: quoted?.id ?? "", partnerId: busy, apiKeyId: busy }];
  const db = scopedTo(year.db, { of: "partner", id: busy });
  const read = await year.rowsRead(() => db.transaction(async (tx) => expect(await askConfirming(tx, asked)).toHaveLength(1)));
  expect(read.get("ledger_postings")).toBeGreaterThan(0);
  expect([...read].filter(([, rows]) => rows > 1_000)).toEqual([]);
});

it("sees a query that reads the year", async () => {
  const read = await year.rowsRead(() => year.db.execute("select count(*) from settlements where source_amount_minor > 0"));
  expect(read.get("settlements")).toBe(SETTLEMENTS);
});

import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CITUS_TABLES } from "#db/citus-tables.ts";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION } from "#db/distribution.ts";
import { claimDue, type LeasedTable, releaseLeases, renewLeases } from "#db/lease.ts";
import { listDueDeployments } from "#db/queries/safes/safe-deployments.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import { enqueueTestCallback, eventually, giveSecrets, startDelivery } from "./callbacks.ts";
import { startTestChain, type TestChain } from "./chain.ts";
import { expectCleanAudit } from "./clean-audit.ts";
import type { TestDatabase } from "./database.ts";
import { TEST_CHAIN } from "./factories.ts";
import { type MoneyStage, openMoneyStage } from "./money-stage.ts";
import { createPartsDatabase, PARTS_SCHEMA } from "./parts.ts";
import { openReceiver, type Receiver } from "./stage/receiver.ts";
import { issueKey, type RequestParts, readAnswer, signedRequest, testContext, testSurfaceContext } from "./surface.ts";
import { newAddress } from "./transfers.ts";

/**
 * A statement that reads a distributed table without naming a partner is sent to every part. This plans each statement of a partner's
 * request, a payment or a callback, as it is sent on Citus, on tables that are partitioned by partner. It checks each place in the plan that
 * reads a partition: whether it has `partner_id = …`, directly or through a join.
 */

const SPREAD = [...DISTRIBUTED_TABLES, ...Object.keys(CITUS_TABLES)];

let database: TestDatabase;
let pool: OpenDatabase;
let chain: TestChain;
let receiver: Receiver;
let stage: MoneyStage;
const texts = new Set<string>();
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  database = await createPartsDatabase();
  const onStatement = (text: string) => void texts.add(text);
  const { url, role, layout } = database;
  pool = openDatabase({ url, applicationName: "heard", maxConnections: 8, role, layout, onStatement });
  receiver = await openReceiver();
  const heard = { ...database, db: pool.db, sql: pool.sql };
  stage = await openMoneyStage(chain, { partners: 2, callbackUrl: `${receiver.origin}/`, database: heard });
});
afterAll(async () => {
  await receiver.close();
  await pool.close();
  await database.close();
  await chain.stop();
});

type Plan = { [key: string]: unknown; Plans?: Plan[] };

/** The distributed tables that a statement reads without a partner. */
async function withoutPartner(sql: postgres.Sql, text: string): Promise<string[]> {
  const [row] = await sql.unsafe(`explain (generic_plan, verbose, format json) ${text}`);
  const nodes = flatten(row?.["QUERY PLAN"][0].Plan);
  const reads = nodes.flatMap((plan) => {
    const [table] = /^(\w+)_\d+$/.exec(String(plan["Relation Name"] ?? ""))?.slice(1) ?? [];
    const isRead = plan.Schema === PARTS_SCHEMA && table !== undefined && plan["Node Type"] !== "ModifyTable";
    return isRead ? [{ table, alias: aliasOf(String(plan.Alias)) }] : [];
  });
  const equal = nodes.flatMap((plan) => CONDITIONS.flatMap((name) => conjuncts(String(plan[name] ?? "")))).flatMap(equalityOf);
  const isSpread = (alias: string | null) => reads.some((read) => read.alias === alias);
  // Bound to a value, or to something outside of the tables; and then everything equal to a bound one.
  const named = new Set(equal.flatMap(({ alias, other }) => (isSpread(other) ? [] : [alias])));
  for (const _ of equal) {
    for (const { alias, other } of equal) if (other !== null && (named.has(alias) || named.has(other))) named.add(alias).add(other);
  }
  return [...new Set(reads.filter(({ alias }) => !named.has(alias)).map(({ table }) => table))].sort();
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
const CONDITIONS = ["Index Cond", "Recheck Cond", "Filter", "TID Cond", "Hash Cond", "Merge Cond", "Join Filter"];
/** A part's is its table's with a number. */
const aliasOf = (text: string) => text.replace(/_\d+$/, "");

/** `s.partner_id = …`: of which table, and which other one's it is; null: a value. */
function equalityOf(condition: string): { alias: string; other: string | null }[] {
  const sides = condition.replaceAll(/[()]/g, "").split(" = ");
  const aliases = sides.map((side) => /^(\w+)\.partner_id$/.exec(side.trim())?.[1] ?? null);
  if (sides.length !== 2 || / (OR|AND) /.test(condition)) return [];
  const [one, two] = aliases.map((alias) => (alias === null ? null : aliasOf(alias)));
  if (one) return [{ alias: one, other: two ?? null }, ...(two ? [{ alias: two, other: one }] : [])];
  return two ? [{ alias: two, other: null }] : [];
}

/** The conjuncts of a condition in a plan: `((a = 1) AND (b = 2))`. An `or` proves nothing. */
function conjuncts(text: string): string[] {
  const bare = text.startsWith("(") && closes(text, 0) === text.length - 1 ? text.slice(1, -1) : text;
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === "(") depth += 1;
    if (bare[at] === ")") depth -= 1;
    if (depth > 0 || !bare.startsWith(" AND ", at)) continue;
    parts.push(bare.slice(from, at));
    from = at + " AND ".length;
  }
  return parts.length === 0 ? [bare] : [...parts, bare.slice(from)].flatMap(conjuncts);
}

/** The matching bracket of the one at `from`. */
function closes(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

const isAsked = (text: string) =>
  /^\s*(select|with|insert|update|delete)\b/i.test(text) && SPREAD.some((table) => new RegExp(`\\b${table}\\b`).test(text));

/** A statement's normalised text, each with the distributed tables that it reads for all partners. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  texts.clear();
  await work();
  const lines: string[] = [];
  for (const text of [...texts].filter(isAsked)) {
    const tables = await withoutPartner(database.sql, text);
    if (tables.length > 0) lines.push(`${tables.join(", ")}: ${text.replaceAll(/\s+/g, " ").trim()}`);
  }
  return lines.sort();
}

describe("what a partner's request asks", () => {
  it("names the partner, in each statement and for each table", async () => {
    const surfaceContext = testSurfaceContext({ ...testContext(pool.db), chains: stage.powers.chains });
    const key = await issueKey(surfaceContext.ctx);
    const ask = async (parts: RequestParts) =>
      readAnswer(await handle(REGISTRY.settlement.surface, surfaceContext, REGISTRY.settlement.bindings, signedRequest(key, parts)));
    const post = (target: string, body: object, headers = {}) => ask({ method: "POST", target, body: JSON.stringify(body), headers });
    const place = { chain: TEST_CHAIN.chain, wallet_address: "0x52908400098527886E0F7030069857D2E4169EE7" };
    const money = { source_amount: 100_000, source_currency: "KES", destination_currency: "USDT", external_merchant_id: "merchant-1" };
    const create = () =>
      post("/api/v1/settlements", { ...money, ...place, callback_url: "http://localhost:9/x" }, { "Idempotency-Key": randomUUID() });
    const lines = await asked(async () => {
      const [one, two] = [await create(), await create()];
      const at = (made: typeof one) => `/api/v1/settlements/${made.body.tx_id}`;
      const answers = [
        await ask({ target: at(one) }),
        await post(`${at(one)}/confirm`, { external_tx_id: randomUUID() }),
        await post(`${at(two)}/cancel`, {}),
        await ask({ target: "/api/v1/settlements?limit=5" }),
      ];
      expect([one, two, ...answers].map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 200]);
    });
    expect(lines).toEqual([]);
  });
});

it("names the partner where money moves and callbacks go out, but where it asks who has something due", async () => {
  await chain.mine(4);
  const lines = await asked(async () => {
    const delivery = startDelivery({ db: pool.db, sql: pool.sql });
    for (const partner of stage.partners) {
      await giveSecrets(database.db, partner);
      const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet: newAddress() });
      await stage.confirm(partner, id);
      await stage.topUp(partner, { amountMinor: 50_000n, wallet: newAddress() });
      await stage.withdraw(partner, { amountMinor: 50_000n });
    }
    const work = stage.newWorker();
    const isOver = async () => {
      const [open] = await database.sql`select count(*)::int as count from (
        select partner_id from settlements where status = 'processing' union all select partner_id from callbacks where state = 'pending'
        union all select partner_id from withdrawals where status in ('pending', 'processing')
        union all select partner_id from topups where status in ('pending', 'processing')) as open
        where partner_id = any(${stage.partners.map(({ partnerId }) => partnerId)})`;
      return open?.count === 0 ? true : null;
    };
    await eventually(async () => {
      await work();
      await stage.passTime();
      return await isOver();
    });
    await delivery.stop();
  });
  await expectCleanAudit({ db: database.db });
  // Reads that lock nothing, which go to all parts (`listShares`, `listWaiting`); what they answer is claimed or brought partner by partner.
  const reasons = [WHO_IS_DUE, WHO_WAITS];
  expect(lines.map((line) => reasons.find((beginning) => line.startsWith(beginning)) ?? line)).toEqual(reasons);
  const claims = [...texts].filter((text) => /\bskip locked\b/.test(text)).map(placesOf);
  expect(new Set(claims.flat())).toEqual(new Set(["distributed", "execution", "fiat"]));
  expect(claims.filter((places) => places.length !== 1)).toEqual([]);
});

const WHO_IS_DUE = 'callbacks: select partner_id as id from "callbacks"';
const WHO_WAITS = "citus_outbox: select partner_id as id from citus_outbox";

/** The parts of the tables in a statement, without those that are on every node. */
function placesOf(text: string): string[] {
  const places = Object.entries(DISTRIBUTION).flatMap(([table, place]) => {
    if (place.kind === "reference" || !new RegExp(`\\b${table}\\b`).test(text)) return [];
    return [place.kind === "whole" ? place.group : place.kind];
  });
  return [...new Set(places)];
}

/** With where they lie: on Citus a statement about one of the groups is one node's affair, and so is one about a partner's part. */
const DUE_WORK: Record<LeasedTable, string> = {
  callbacks: "distributed",
  event_destinations: "operator",
  transfers: "execution",
  simulated_orders: "fiat",
  topups: "fiat",
  withdrawals: "fiat",
};

it("claims, renews and gives back due work of every engine on one node: a partner's part, or a table that is whole", async () => {
  const [partner] = stage.partners;
  if (partner === undefined) throw new Error("there is no partner");
  for (const [name, place] of Object.entries(DUE_WORK)) {
    const table = name as LeasedTable;
    const lines = await asked(async () => {
      const token = randomUUID();
      if (table === "callbacks") await enqueueTestCallback(database.db, partner, "http://localhost:9/x");
      const leases = await claimDue(pool.db, table, { token, limit: 5 });
      if (table === "callbacks") expect(leases).toEqual([{ id: expect.any(String), token, partnerId: partner.partnerId }]);
      const held = [...leases, { id: "nobody", token, partnerId: partner.partnerId }];
      await renewLeases(pool.db, table, held);
      await releaseLeases(pool.db, table, held);
    });
    const locking = [...texts].filter((text) => /\bupdate\b/.test(text));
    expect([table, locking.length, ...new Set(locking.flatMap(placesOf))]).toEqual([table, 3, place]);
    expect(lines.map((line) => line.slice(0, WHO_IS_DUE.length))).toEqual(table === "callbacks" ? [WHO_IS_DUE] : []);
  }
  texts.clear();
  // Safes are read without a lease, and decided on the locked row.
  await listDueDeployments(pool.db, chain.chain, 5);
  expect([...texts].flatMap(placesOf)).toEqual(["execution"]);
});

it("finds a statement that asks every part, also where the partner is in an `or`, and none that names it by a join", async () => {
  const found = (text: string) => withoutPartner(database.sql, text);
  expect(await found("select 1 from settlements where id = $1")).toEqual(["settlements"]);
  expect(await found("select 1 from settlements where id = $1 and (partner_id = $2 or status = 'quoted')")).toEqual(["settlements"]);
  expect(await found("select 1 from settlements where partner_id = $1")).toEqual([]);
  const joined = "from settlements s join callbacks c on c.subject_id = s.id and of_partner(c.partner_id, s.partner_id)";
  expect(await found(`select 1 ${joined} where s.partner_id = $1`)).toEqual([]);
  expect(await found(`select 1 ${joined} where s.partner_id is not null`)).toEqual(["callbacks", "settlements"]);
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedYear } from "#bench/year-seed.ts";
import type { Operation } from "#contract/operation.ts";
import { insertPolicy } from "#db/queries/approval-policy/policies.ts";
import { readRule } from "#domain/approval-policy.ts";
import { BLANK_LIMIT, DEFAULT_LIMITS } from "#domain/default-limits.ts";
import { POLICY_HINTS } from "#domain/policy-rule.ts";
import { operationsOf, REGISTRY, surfaceAt } from "#server/rest/registry.ts";
import { StatusWatch } from "#server/rest/status-watch.ts";
import { handle } from "#server/rest/surface.ts";
import type { SurfaceContext } from "#server/rest/surface-context.ts";
import { answerMetrics, answerReady } from "#server/rest/system-surface.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { findAnsweringNode } from "#server/services/ledger/answering-chain.ts";
import { auditChain } from "#server/services/ledger/audit-chain.ts";
import { auditRecords } from "#server/services/ledger/audit-records.ts";
import { auditLogChain } from "#server/services/ledger/audit-report.ts";
import { BLANK_RULE, setRate } from "./factories.ts";
import { issueKey, readAnswer, signedRequest, testSurfaceContext } from "./surface.ts";
import { newAddress } from "./transfers.ts";
import { openYearService, type YearService } from "./year-service.ts";

/**
 * No duty of the worker, no figure and no request reads a year to answer for a day. PostgreSQL counts the rows that each of them reads in the
 * database of a service with a year of settlements, half of which are one partner's.
 */

const SETTLEMENTS = 40_000;
/** Counts stop at 10,000. */
const MOST = 11_000;
/** What is open, and a page. */
const FEW = 1_100;
const DAY_MS = 86_400_000;
const PARTNER = "00000000-0000-4000-8000-000000000001";

/** What is open, and some batches. */
const MOST_OF_DUTY = 3_000;
/** The tables of which a duty may read more, and why. */
const MAY: Readonly<Record<string, { tables: readonly string[] | "all"; why: string }>> = {
  reconciliation: { tables: "all", why: "nine days: below, and for each rule in `audit-slices.test.ts`" },
  audit_verification: { tables: ["audit_seals", "audit_entries"], why: "50,000 seals, however many there are" },
  events: { tables: ["events"], why: "5,000 that are deleted, out of the 30 days that are kept" },
};

let year: YearService;
let rest: SurfaceContext;
let keys: { partner: IssuedApiKey; operator: IssuedApiKey };
/** What the paths and queries of requests name. */
let known: Readonly<Record<string, string>>;
beforeAll(async () => {
  year = await openYearService((database) => seedYear(database, SETTLEMENTS));
  await setRate(year.db, "0.0077");
  rest = testSurfaceContext(year.ctx);
  keys = { partner: await issueKey(year.ctx, { partnerId: PARTNER }), operator: await issueKey(year.ctx, { partnerId: null }) };
  const [named] = await year.owner<Record<string, string>[]>`
    select s.id as tx_id, s.external_tx_id, s.external_merchant_id, s.wallet_address, s.tx_hash, c.id as callback_id, e.id as event_id
    from settlements s join callbacks c on c.subject_id = s.id join events e on e.object_id = s.id
    where s.partner_id = ${PARTNER} and s.status = 'executed' order by s.created_at desc limit 1`;
  const nothing = { batch_id: "ba_00000000000000000000000000", destination_id: randomUUID(), id: "wd_00000000000000000000000000" };
  known = { ...nothing, partner_id: PARTNER, external_user_id: "user-1", ...named };
}, 180_000);
afterAll(() => year.close());

/** The tables of which the work reads more than that. */
async function readsMore(work: () => Promise<unknown>, most: number, may: readonly string[] = []): Promise<string[]> {
  const read = await year.rowsRead(work);
  return [...read].filter(([table, rows]) => rows > most && !may.includes(table)).map(([table, rows]) => `${rows} rows of ${table}`);
}

/** The year has no batch, destination, order or member, so these ask for an unknown one. And no node knows its payments. */
const UNANSWERED: Readonly<Record<string, number>> = {
  get_batch: 404,
  get_event_destination: 404,
  get_member: 404,
  get_member_safe_info: 404,
  topup_fiat_status: 404,
  withdraw_fiat_status: 404,
  prove_settlement: 503,
};

async function send(method: string, target: string, by: keyof typeof keys = "partner", body?: object) {
  const { apiKey } = keys[by];
  const request = signedRequest(keys[by], { method, target, body: body ? JSON.stringify(body) : "", headers: { apiKey } });
  const { surface, bindings } = surfaceAt(request.path) ?? REGISTRY.settlement;
  const answer = readAnswer(await handle(surface, rest, bindings, request));
  return { status: answer.status, body: answer.body };
}

const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const MONEY = { source_currency: "KES", destination_currency: "USDT", chain: "eip155:31337" };
/** Values of a filter or parameter that has no value among what is known, each tried by itself. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "list_settlements.status": ["quoted", "processing", "executed", "failed", "cancelled"],
  statuses: ["failed,cancelled"],
  approval_state: ["pending", "approved", "rejected"],
  created_from: [ago(1), ago(200)],
  created_to: [ago(200)],
  updated_from: [ago(1)],
  updated_to: [`${ago(200)}&updated_from=${ago(201)}`],
  limit: ["100"],
  skip: ["5"],
  search: ["Partner"],
  wait: ["1"],
  types: ["settlement.failed", "topup.failed"],
  object_id: ["tx_00000000000000000000000000"],
  "list_all_callbacks.state": ["pending", "delivered", "undelivered"],
  event: ["settlement.failed"],
  external_batch_id: ["none"],
  "list_batches.status": ["quoted", "completed"],
  external_id: ["none"],
  type: ["settlement", "withdrawal"],
  "get_all_transactions.status": ["executed", "failed"],
  cursor: [],
  chain: [MONEY.chain],
};
/** Operations that need all of these. */
const WHOLE: Readonly<Record<string, string>> = {
  preview_rate: new URLSearchParams({ ...MONEY, source_amount: "100000" }).toString(),
  withdraw_fiat_preview: "amount=100&currency=KES&chain=eip155:31337&source_currency=USDT",
  topup_fiat_preview: "amount=100&currency=KES&chain=eip155:31337&destination_currency=USDT",
  convert_to_currency: "from=KES&to=USDT&amount=100",
};

const READS = (["settlement", "partner"] as const).flatMap((surface) => operationsOf(surface)).filter(({ method }) => method === "GET");

function targetsOf({ id, path, query }: Operation): string[] {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? `unknown ${name}`);
  if (WHOLE[id] !== undefined) return [`${place}?${WHOLE[id]}`];
  const filters = Object.keys("shape" in query ? Object(query.shape) : {});
  const filtered = filters.flatMap((name) => {
    const values = VALUES[`${id}.${name}`] ?? VALUES[name] ?? [known[name] ?? `no value of ${id}.${name}`];
    return values.map((value) => `${place}?${name}=${value}`);
  });
  return [place, ...filtered];
}

describe("of a year, few rows are read by", () => {
  it.each(READS.map((operation) => [operation.id, operation] as const))("%s", async (id, operation) => {
    // The contract promises the exact total of a list of transactions.
    const may = id === "get_all_transactions" ? ["settlements"] : [];
    const callers =
      operation.caller === "both"
        ? (["partner", "operator"] as const)
        : ([operation.caller === "operator" ? "operator" : "partner"] as const);
    const much: string[] = [];
    for (const target of targetsOf(operation))
      for (const by of callers) {
        // Events are looked through for those that a key may see, a page of some thousand at a time.
        const most = target.includes("?") || id === "list_events" ? MOST : FEW;
        const ask = async () => expect(await send("GET", target, by)).toMatchObject({ status: UNANSWERED[id] ?? 200 });
        much.push(...(await readsMore(ask, most, may)).map((found) => `${target}: ${found}`));
      }
    expect(much).toEqual([]);
  });
});

/** What is expected of each write. */
const DONE = { create: 201, confirm: 200, "create another": 201, cancel: 200 };

/** A quote, its confirmation and a cancellation, for a new and for an often used wallet and merchant. */
async function writesThatReadMuch(expected: Readonly<Record<string, number>> = DONE): Promise<string[]> {
  const much: string[] = [];
  const path = "/api/v1/settlements";
  const newcomer = { external_merchant_id: randomUUID(), wallet_address: newAddress() };
  const { external_merchant_id, wallet_address } = known;
  for (const whom of [newcomer, { external_merchant_id, wallet_address }, { ...newcomer, external_merchant_id: "merchant-3" }]) {
    const body = { ...MONEY, ...whom, source_amount: 1_000_000, callback_url: "http://localhost:9/callback" };
    const ids: string[] = [];
    const create = async () => {
      const answer = await send("POST", path, "partner", body);
      ids.push(String(answer.body.tx_id));
      return answer;
    };
    const steps = {
      create,
      confirm: () => send("POST", `${path}/${ids[0]}/confirm`, "partner", { external_tx_id: randomUUID() }),
      "create another": create,
      cancel: () => send("POST", `${path}/${ids[1]}/cancel`, "partner", {}),
    };
    for (const [name, step] of Object.entries(steps)) {
      const found = await readsMore(async () => expect([name, (await step()).status]).toEqual([name, expected[name]]), FEW);
      much.push(...found.map((each) => `${name}: ${each}`));
    }
  }
  return much;
}

describe("of a year, few rows are read by create, confirm and cancel", () => {
  it("without limits", async () => {
    expect(await writesThatReadMuch()).toEqual([]);
  });

  it("with limits of each kind", async () => {
    const much = { mode: "enforce", amountAtto: 10n ** 30n } as const;
    const windows = (["partner", "pair", "destination", "member", "all"] as const).map((countedBy) => {
      return { ...BLANK_LIMIT, ...much, kind: "velocity" as const, id: `by-${countedBy}`, countedBy, windowSeconds: 86_400 };
    });
    const ofKes = (["open_quotes", "open_loss", "credit_line"] as const).map((kind) => {
      return { ...BLANK_LIMIT, ...much, kind, id: kind.replace("_", "-"), sourceCurrency: "KES" };
    });
    await openLimits(year.ctx, [...DEFAULT_LIMITS, ...windows, ...ofKes]);
    expect(await writesThatReadMuch()).toEqual([]);
  });

  it("with an approval policy of all hints", async () => {
    const rule = readRule({ ...BLANK_RULE, id: "all-hints", hints: [...POLICY_HINTS], approvals: 1 });
    await insertPolicy(year.db, { id: "po_1", version: 1, rules: [rule], reason: "a test", madeBy: null, madeAt: new Date() });
    // The policy has a new quote wait for an approval.
    expect(await writesThatReadMuch({ ...DONE, confirm: 409 })).toEqual([]);
  });
});

describe("of a year, few rows are read by", () => {
  const access = { mode: "sandbox", metricsToken: null } as const;
  const status = async () => {
    const watch = new StatusWatch(year.ctx);
    await watch.look();
    await watch.look();
    await watch.write();
    await watch.report();
  };
  it.each([
    ["/metrics", () => answerMetrics(year.ctx, access, new Headers())],
    ["/ready", () => answerReady(year.ctx, access, new Headers())],
    ["the status page and its watch", status],
  ] as const)("%s", async (_name, work) => {
    expect(await readsMore(work, FEW)).toEqual([]);
  });

  it("every duty of a worker, while payments go out and are made, their callbacks are sent, and a day ends", async () => {
    const much: string[] = [];
    const rounds = async (names?: readonly string[]) => {
      for (const duty of year.duties.filter(({ name }) => names === undefined || names.includes(name))) {
        const { tables } = MAY[duty.name] ?? { tables: [] };
        const found = await readsMore(() => duty.run(new AbortController().signal), MOST_OF_DUTY, tables === "all" ? undefined : tables);
        much.push(...(tables === "all" ? [] : found).map((each) => `${duty.name}: ${each}`));
      }
      await year.chain.mine(5);
    };
    const payments = [`transfers ${year.chain.chain}`, "treasury_movements"];
    await rounds(payments);
    await rounds(payments);
    await rounds();
    await year.owner`update reconciliations set begun_at = begun_at - interval '2 minutes'`;
    await rounds();
    expect(much).toEqual([]);
    const said = year.lines.map(({ message }) => message);
    expect(said).toEqual(expect.arrayContaining(["the day is reconciled", "the day is attested"]));
    const [{ paid } = { paid: 0 }] = await year.owner<{ paid: number }[]>`
      select count(*)::int as paid from settlements where executed_at > confirmed_at and api_key_id = ${keys.partner.id}`;
    expect(paid).toBeGreaterThan(2);
  });

  it("the parts of a reconciliation that follow its rules", async () => {
    const since = new Date(Date.now() - 9 * DAY_MS);
    const [chain] = year.ctx.evm.list();
    const answering = chain === undefined ? null : await findAnsweringNode(chain);
    if (answering === null) throw new Error("the chain does not answer");
    const parts = {
      records: () => auditRecords(year.db, since),
      "the audit log": () => auditLogChain(year.db, since, { key: year.ctx.auditKey, anchors: [] }),
      "the chain": () => auditChain(year.ctx, answering, { scope: since, endedSince: new Date(Date.now() - DAY_MS) }),
    };
    for (const [name, part] of Object.entries(parts)) expect([name, ...(await readsMore(part, MOST))]).toEqual([name]);
  });
});

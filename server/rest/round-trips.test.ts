import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { POLICY_HINTS } from "#domain/policy-rule.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { setPolicy } from "#server/services/approval-policy/set-policy.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { setPartnerStatus } from "#server/services/partners/change-partner.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { endLimits } from "#testing/limits.ts";
import { addProvenPerson } from "#testing/people.ts";
import { countTrips, openConnections } from "#testing/round-trips.ts";
import { issueKey, type RequestParts, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { REGISTRY } from "./registry.ts";
import { handle } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

/** A signed request's statements, and that a process's cache of a key never outlives the key. */

const SYSTEM = { actor: { type: "system" }, requestId: null } as const;
const OPERATOR = { actor: { type: "operator_key", apiKeyId: randomUUID() }, requestId: null } as const;
const { surface, bindings } = REGISTRY.settlement;
let database: TestDatabase;
let pool: OpenDatabase;
let counted: SurfaceContext;
/** Another web process. */
let other: SurfaceContext;
const trips = countTrips();
/** The statements, newest last. */
const sent: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({
    url: database.url,
    applicationName: "counted",
    maxConnections: 4,
    role: database.webRole,
    onStatement(text) {
      sent.push(text);
      trips.onStatement(text);
    },
  });
  await openConnections(pool, 4);
  const ctx = testContext(pool.db);
  counted = testSurfaceContext(ctx);
  other = testSurfaceContext({ ...ctx, db: database.db });
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
});
afterAll(async () => {
  await pool.close();
  await database.close();
});

async function ask(surfaceContext: SurfaceContext, key: IssuedApiKey, parts: RequestParts & { nonce?: string }) {
  return readAnswer(await handle(surface, surfaceContext, bindings, signedRequest(key, parts)));
}

/** The result, and the number of round trips to the database. */
async function count(key: IssuedApiKey, parts: RequestParts) {
  const { result: answer, trips: asked } = await trips.count(() => ask(counted, key, parts));
  return { answer, trips: asked };
}

const create = (more: object = {}): RequestParts => ({
  method: "POST",
  target: "/api/v1/settlements",
  body: JSON.stringify({
    source_amount: 100_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "merchant-1",
    chain: TEST_CHAIN.chain,
    wallet_address: "0x52908400098527886E0F7030069857D2E4169EE7",
    callback_url: "http://localhost:9/callback",
    ...more,
  }),
});
const get = (id: unknown): RequestParts => ({ target: `/api/v1/settlements/${id}` });
const confirm = (id: unknown): RequestParts => ({
  method: "POST",
  target: `/api/v1/settlements/${id}/confirm`,
  body: JSON.stringify({ external_tx_id: randomUUID() }),
});

const cancel = (id: unknown): RequestParts => ({ method: "POST", target: `/api/v1/settlements/${id}/cancel`, body: "{}" });

/** Begin; nonce, and all that a price is made of; all that is written, and commit. */
const CREATE = 3;
/** Begin; nonce, and the locked settlement with everything that it is judged by; the change and its consequences; commit. */
const CONFIRM = 4;
/** The same without a payment. */
const CANCEL = 4;

const by = {
  kind: "velocity",
  mode: "enforce",
  countedBy: "partner",
  windowSeconds: 3_600,
  timesMaximum: null,
  waitSeconds: null,
} as const;
const of = ({ partnerId }: IssuedApiKey) => ({
  partnerId,
  purpose: null,
  sourceCurrency: null,
  destinationCurrency: null,
  chain: null,
  addresses: null,
});

type Counted = Awaited<ReturnType<typeof count>>;
const TIMES = Array.from({ length: 12 }, (_, time) => time);

/** Several tries: a statement that is new to the connection costs one more trip, and which connection is used is random. */
async function fewest(go: (time: number) => Promise<Counted>, times: readonly number[] = TIMES): Promise<Counted> {
  let best = await go(times[0] ?? 0);
  for (const time of times.slice(1)) {
    const next = await go(time);
    expect([next.answer.status, next.answer.body.waiting_reason]).toEqual([best.answer.status, best.answer.body.waiting_reason]);
    if (next.trips <= best.trips) best = next;
  }
  return best;
}

describe("a signed request of a key that the process has seen", () => {
  it("reads a settlement in one round trip: its nonce with the key's rights, and the settlement with what is shown next to it", async () => {
    const key = await issueKey(counted.ctx);
    const { answer } = await count(key, create());
    const id = answer.body.tx_id;
    const read = await fewest(() => count(key, get(id)));
    expect([read.answer.status, read.answer.body.tx_id, read.trips]).toEqual([200, id, 1]);
    await count(key, confirm(id));
    const processing = await fewest(() => count(key, get(id)));
    expect([processing.answer.body.status, processing.trips]).toEqual(["processing", 1]);
  });

  it("asks no more than so often to create, to confirm and to cancel", async () => {
    const key = await issueKey(counted.ctx);
    const made: unknown[] = [];
    const make = async () => {
      const created = await count(key, create());
      made.push(created.answer.body.tx_id);
      return created;
    };
    const created = await fewest(make, [...TIMES, ...TIMES]);
    expect([created.answer.status, created.trips]).toEqual([201, CREATE]);
    const confirmed = await fewest((time) => count(key, confirm(made[time])));
    expect([confirmed.answer.status, confirmed.trips]).toEqual([200, CONFIRM]);
    const cancelled = await fewest((time) => count(key, cancel(made[TIMES.length + time])));
    expect([cancelled.answer.status, cancelled.trips]).toEqual([200, CANCEL]);
  });

  it("asks of no limit and no policy where none is in force, and minds them on the very next request once they are", async () => {
    const key = await issueKey(counted.ctx);
    const createOne = async () => (await ask(counted, key, create())).body;
    const confirmOne = async (id: unknown) => (await ask(counted, key, confirm(id))).body;
    const asksLimits = async <Answer>(work: () => Promise<Answer>): Promise<[Answer, boolean]> => {
      sent.length = 0;
      return [await work(), sent.some((text) => text.includes("exposure_counters"))];
    };
    await confirmOne((await createOne()).tx_id);
    const [free, asksToCreate] = await asksLimits(createOne);
    const [confirmed, asksToConfirm] = await asksLimits(() => confirmOne(free.tx_id));
    expect([free.approval_state, asksToCreate, confirmed.waiting_reason, asksToConfirm]).toEqual([null, false, null, false]);

    const quoted = await createOne();
    await openLimits(other.ctx, [{ ...by, ...of(key), id: "none-an-hour", amountAtto: 1n }]);
    expect((await asksLimits(() => confirmOne(quoted.tx_id)))[0]).toMatchObject({ status: "processing", waiting_reason: "hold" });
    expect((await createOne()).approval_state).toBe("pending");
    await endLimits(database.sql);
    // The process expects limits, and learns that there are none.
    expect((await createOne()).approval_state).toBe(null);
    expect((await asksLimits(createOne))[1]).toBe(false);

    const { by: admin } = await addProvenPerson(database.db, "admin");
    const rule = { partner_id: key.partnerId, source_currency: null, destination_currency: null, chain: null, amount: null };
    const everything = { ...rule, id: "everything", hints: [], approvals: 1, who: "deciders" as const, people: [] };
    const setRules = (rules: (typeof everything)[], expectedVersion: number) =>
      setPolicy({ ...other.ctx, mode: "sandbox" }, { by: admin, rules, expectedVersion, reason: "as the story goes" });
    await setRules([everything], 0);
    expect((await createOne()).approval_state).toBe("pending");
    // Its queries are cached by now.
    const [pending, asksKnown] = await asksLimits(createOne);
    expect([pending.approval_state, asksKnown]).toEqual(["pending", false]);
    await setRules([], 1);
    expect((await createOne()).approval_state).toBe(null);
  });

  it("asks no more often to create where open quotes are limited, quoted or refused", async () => {
    const key = await issueKey(counted.ctx);
    const open = { ...of(key), kind: "open_quotes", mode: "enforce", sourceCurrency: "KES", countedBy: null, windowSeconds: null } as const;
    const figures = { timesMaximum: null, waitSeconds: null };
    // 1,000.00 KES each: twelve are quoted, and the next one is not.
    await openLimits(counted.ctx, [{ ...open, ...figures, id: "by-open", amountAtto: 12_000n * 10n ** 18n }]);
    const quoted = await fewest(() => count(key, create()));
    expect([quoted.answer.status, quoted.trips]).toEqual([201, CREATE]);
    const refused = await fewest(() => count(key, create()));
    expect([refused.answer.status, refused.answer.body.code]).toEqual([503, "liquidity_unavailable"]);
    expect(refused.trips).toBeLessThanOrEqual(CREATE);
  });

  it("asks no more often to confirm where limits judge it, and once more where they hold it: its event gives the new status", async () => {
    const key = await issueKey(counted.ctx);
    // 1,000.00 KES are 7.20 USDT: within eight, and the next one is not.
    await openLimits(counted.ctx, [{ ...by, ...of(key), id: "by-hour", amountAtto: 60n * 10n ** 18n }]);
    // Quoted within the limit: anything beyond then waits for an admin.
    const quoted: unknown[] = [];
    for (let time = 0; time < 20; time += 1) quoted.push((await count(key, create())).answer.body.tx_id);
    const passed = await fewest((time) => count(key, confirm(quoted[time])), TIMES.slice(0, 8));
    expect([passed.answer.status, passed.answer.body.waiting_reason, passed.trips]).toEqual([200, null, CONFIRM]);
    const held = await fewest((time) => count(key, confirm(quoted[time + 8])), TIMES);
    expect([held.answer.status, held.answer.body.waiting_reason, held.trips]).toEqual([200, "hold", CONFIRM + 1]);
  });

  it("asks no more often to create where the approval policy looks for all of its hints, and asks for people", async () => {
    const key = await issueKey(counted.ctx);
    const rule = { partner_id: key.partnerId, source_currency: null, destination_currency: null, chain: null, amount: null };
    const rules = [{ ...rule, id: "anything", hints: [...POLICY_HINTS], approvals: 1, who: "deciders" as const, people: [] }];
    const { by } = await addProvenPerson(database.db, "admin");
    await setPolicy({ ...counted.ctx, mode: "sandbox" }, { by, rules, expectedVersion: 2, reason: "as the story goes" });
    const created = await fewest(() => count(key, create()), [...TIMES, ...TIMES]);
    expect([created.answer.status, created.answer.body.approval_state, created.trips]).toEqual([201, "pending", CREATE]);
    // For another partner it reads nothing: the facts are there, and no rule matches.
    const others = await issueKey(counted.ctx);
    const passed = await fewest(() => count(others, create()));
    expect([passed.answer.status, passed.answer.body.approval_state, passed.trips]).toEqual([201, null, CREATE]);
  });
});

describe("what a process remembers of a key", () => {
  const refused = async (surfaceContext: SurfaceContext, key: IssuedApiKey, parts: RequestParts = get("tx_x")) => {
    const { status, body } = await ask(surfaceContext, key, parts);
    return [status, body.code];
  };
  const known = async () => {
    const key = await issueKey(counted.ctx);
    for (const surfaceContext of [counted, other]) expect(await refused(surfaceContext, key)).toEqual([404, "settlement_not_found"]);
    return key;
  };

  it("ends with the key on the very next request of every process, for reads, writes and what is refused anyway", async () => {
    for (const parts of [get("tx_x"), create(), { ...create(), body: "{" }, get("tx_x?nonsense=1")]) {
      const key = await known();
      await revokeApiKey(other.ctx, { by: SYSTEM, id: key.id });
      for (const surfaceContext of [counted, other]) expect(await refused(surfaceContext, key, parts)).toEqual([401, "revoked_api_key"]);
    }
  });

  it("follows the partner's state at once, there and back", async () => {
    const key = await known();
    for (const [status, expected] of [
      ["suspended", [403, "partner_suspended"]],
      ["active", [404, "settlement_not_found"]],
    ] as const) {
      await setPartnerStatus(other.ctx, { by: OPERATOR, partnerId: key.partnerId ?? "", status });
      for (const surfaceContext of [counted, other]) expect(await refused(surfaceContext, key)).toEqual(expected);
    }
  });

  it("follows scopes and addresses at once, and the order of refusals with them", async () => {
    const key = await known();
    const change = (columns: object) => database.sql`update api_keys set ${database.sql(columns)} where id = ${key.id}`;
    await change({ scopes: ["settlements:read"] });
    expect(await refused(counted, key, create())).toEqual([403, "scope_missing"]);
    await change({ allowed_ips: ["10.0.0.1"] });
    expect(await refused(counted, key, create())).toEqual([403, "ip_not_allowed"]);
    await change({ revoked_at: "2026-01-01T00:00:00Z" });
    expect(await refused(counted, key, { ...create(), headers: { "X-Service-Signature": "0".repeat(64) } })).toEqual([
      401,
      "revoked_api_key",
    ]);
  });

  it("does not hide from a request over its limit that its key has ended", async () => {
    const key = await issueKey(counted.ctx, {}, { readsPerSecond: 1 });
    const codes = [];
    for (let time = 0; time < 4; time += 1) codes.push((await refused(counted, key))[1]);
    expect(codes).toContain("rate_limited");
    await revokeApiKey(other.ctx, { by: SYSTEM, id: key.id });
    expect(await refused(counted, key)).toEqual([401, "revoked_api_key"]);
  });

  it("lets a nonce in once all the same, whichever process is asked and whether or not it knew the key", async () => {
    const key = await known();
    const nonce = randomUUID();
    const statuses = await Promise.all(
      [counted, other, counted, other].map((surfaceContext) => ask(surfaceContext, key, { ...create(), nonce })),
    );
    expect(statuses.map(({ status, body }) => body.code ?? status).sort()).toEqual([201, "nonce_reused", "nonce_reused", "nonce_reused"]);
  });
});

describe("what a price is made of counts on the very next request of every process:", () => {
  let key: IssuedApiKey;
  beforeAll(async () => {
    key = await issueKey(counted.ctx);
  });
  const answers = async () => [await ask(counted, key, create()), await ask(other, key, create())];
  const codes = async () => (await answers()).map(({ status, body }) => body.code ?? status);

  it("a term", async () => {
    expect(await codes()).toEqual([201, 201]);
    await addTerms(database.db, { version: 2, minimumSourceMinor: 100_001n });
    expect(await codes()).toEqual(["amount_too_small", "amount_too_small"]);
    await addTerms(database.db, { version: 3 });
    expect(await codes()).toEqual([201, 201]);
  });

  it("a rate", async () => {
    const rates = async () => (await answers()).map(({ status, body }) => body.code ?? [status, body.exchange_rate]);
    for (const rate of ["0.008", "0.0077"]) {
      await setRate(database.db, rate);
      expect(await rates()).toEqual(Array(2).fill([201, Number(rate)]));
    }
    await database.sql`update exchange_rates set stale_at = now()`;
    expect(await rates()).toEqual(["rate_unavailable", "rate_unavailable"]);
    await setRate(database.db, "0.0077");
    expect(await codes()).toEqual([201, 201]);
  });

  it("a halted chain", async () => {
    await database.sql`insert into lane_halts (id, lane_kind, lane_key, cause, detail, evidence, since, halted_by)
      values ('lh_test', 'chain', ${TEST_CHAIN.chain}, 'order', '', '{}', now(), 'system')`;
    expect(await codes()).toEqual(["liquidity_unavailable", "liquidity_unavailable"]);
    await database.sql`update lane_halts set lifted_at = now(), lifted_by = 'system', lift_reason = 'over'`;
    expect(await codes()).toEqual([201, 201]);
  });

  it("a paused wallet", async () => {
    await database.sql`insert into wallets (id, chain, address, fencing_token, state, created_at)
      values (gen_random_uuid(), ${TEST_CHAIN.chain}, '0x0000000000000000000000000000000000000001', 0, 'draining', now())`;
    expect(await codes()).toEqual(["liquidity_unavailable", "liquidity_unavailable"]);
  });
});

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "#contract/operation.ts";
import { members } from "#db/schema/members.ts";
import { users } from "#db/schema/people.ts";
import { railSignature } from "#domain/rail-signature.ts";
import { sign } from "#domain/signing.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { hashPassword } from "#server/adapters/passwords.ts";
import { routeHandlers } from "#server/rest/next-route.ts";
import { splitTarget } from "#server/rest/raw-request.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import type { SurfaceContext } from "#server/rest/surface-context.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createBatch } from "#server/services/settlements/batches/create-batch.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { copyTestDatabase, createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { issueKey, TEST_RAIL_SECRET, testContext, testSurfaceContext } from "#testing/surface.ts";
import { createFrontDoor, type FrontDoor } from "./front-door.ts";

/**
 * Sends every operation of every surface the same requests at the front door (over HTTP) and at Next's route handler (with a plain
 * Request), each over a copy of one database, and compares the answers byte for byte.
 */

const databases: TestDatabase[] = [];
const PASSWORD = "vellum-otter-92-quay";
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
let front: FrontDoor | undefined;
let baseUrl: string;
let nextDoor: SurfaceContext;
let own: IssuedApiKey;
let operator: IssuedApiKey;
/** A separate settlement for each action, since an action changes it. */
const settlements: Record<string, string> = {};
const batches: Record<string, string> = {};
let ids: Record<string, string>;

beforeAll(async () => {
  const first = await createTestDatabase();
  databases.push(first);
  const ctx = testContext(first.db);
  own = await issueKey(ctx);
  operator = await issueKey(ctx, { partnerId: null });
  const spare = await issueKey(ctx, { partnerId: own.partnerId });
  await addTerms(first.db);
  await setRate(first.db, "0.0077");
  const partnerId = own.partnerId ?? "";
  const by = { actor: { type: "api_key", apiKeyId: own.id, partnerId }, requestId: null } as const;
  for (const use of ["get", "confirm", "confirm_one", "cancel", "cancel_one", "approve", "reject"]) {
    const sourceAmountMinor = use === "approve" || use === "reject" ? 200_000_000n : 100_000n;
    const quote = { sourceAmountMinor, sourceCurrency: "KES", destinationCurrency: "USDT", externalMerchantId: "merchant-1" };
    const place = { chain: TEST_CHAIN.chain, walletAddress: WALLET, callbackUrl: "http://localhost:9/callback" };
    settlements[use] = (await createSettlement(ctx, { partnerId, apiKeyId: own.id, by, ...quote, ...place })).id;
  }
  for (const use of ["get", "confirm", "cancel", "requote", "approve", "reject"]) {
    const sourceAmountMinor = use === "approve" || use === "reject" ? 200_000_000n : 100_000n;
    const quote = { sourceAmountMinor, sourceCurrency: "KES", destinationCurrency: "USDT", externalMerchantId: "merchant-1" };
    const item = { ...quote, chain: TEST_CHAIN.chain, walletAddress: WALLET, callbackUrl: null, externalTxId: `item-${use}` };
    const named = { externalBatchId: `batch-${use}`, bodySha256: "", callbackUrl: "http://localhost:9/batch" };
    batches[use] = (await createBatch(ctx, { partnerId, apiKeyId: own.id, by, ...named, items: [item] })).batch.id;
  }
  const now = new Date();
  await first.db.insert(members).values({
    id: randomUUID(),
    partnerId,
    externalUserId: "user-1",
    phone: "+254700000001",
    walletAddress: WALLET,
    chain: TEST_CHAIN.chain,
    createdAt: now,
    updatedAt: now,
  });
  await first.db.insert(users).values({
    id: randomUUID(),
    email: "admin@example.com",
    name: "Admin",
    role: "admin",
    createdAt: now,
    passwordHash: await hashPassword(PASSWORD),
  });
  ids = { partner_id: partnerId, own_key: own.id, spare_key: spare.id };
  const second = await copyTestDatabase(first);
  databases.push(second);
  const frontDoor = testSurfaceContext(ctx);
  nextDoor = testSurfaceContext({ ...ctx, db: second.db });
  front = createFrontDoor({
    answer: ({ surface, bindings }, raw) => handle(surface, frontDoor, bindings, raw),
    next: async (_request, response) => void response.writeHead(599).end(),
    log: ctx.log,
    baseUrl: "http://base",
  });
  const { server } = front;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await front?.drain.end(0);
  for (const database of databases) await database.close();
});

type Sent = { method: string; target: string; headers: Record<string, string>; body: string };
type RawAnswer = { status: number; headers: Record<string, unknown>; body: string };

/** Values that each answer generates: ids, secrets, tokens and instants. Everything else is compared exactly. */
const mask = (text: string) =>
  text
    .replace(/\b(?!eip155)[a-z]+(?:_(?:test|live))?_[0-9A-Za-z_-]{24,}/g, "<id>")
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>")
    .replace(/"(epoch_seconds|offset_seconds)":[\d.]+/g, '"$1":<n>')
    .replace(/"(api_secret|api_key_hash|last_four|callback_secret|secret)":"[^"]+"/g, '"$1":"<secret>"');
/** These belong to the connection, not to the answer. */
const HOP = ["date", "connection", "keep-alive"];

async function atTheFront(sent: Sent): Promise<RawAnswer> {
  const { status, headers, text } = await exchange(baseUrl, { ...sent, headers: Object.entries(sent.headers) });
  return rawAnswer(status, Object.entries(headers), text);
}

async function atNext(surface: keyof typeof REGISTRY, { method, target, headers, body }: Sent): Promise<RawAnswer> {
  const handlers: Record<string, (request: Request) => Promise<Response>> = routeHandlers(surface, () => nextDoor);
  const bodyless = method === "GET" || method === "HEAD";
  const request = new Request(`http://localhost${target}`, { method, headers, ...(bodyless ? {} : { body }) });
  const answer = await handlers[method]?.(request);
  if (answer === undefined) throw new Error(`no handler for ${method}`);
  return rawAnswer(answer.status, [...answer.headers], method === "HEAD" ? "" : await answer.text());
}

function rawAnswer(status: number, headers: readonly (readonly [string, unknown])[], body: string): RawAnswer {
  const kept = headers.filter(([name]) => !HOP.includes(name)).map(([name, value]) => [name, mask(String(value))] as const);
  const sorted = kept.toSorted(([left], [right]) => left.localeCompare(right));
  // A masked body has lost what made its length its own.
  const length = sorted.find(([name]) => name === "content-length")?.[1];
  if (length !== undefined) expect(Number(length)).toBeGreaterThan(0);
  return { status, headers: Object.fromEntries(sorted.filter(([name]) => name !== "content-length")), body: mask(body) };
}

async function expectTheSame(surface: keyof typeof REGISTRY, sent: Sent): Promise<RawAnswer> {
  const atFront = await atTheFront(sent);
  expect(await atNext(surface, sent)).toEqual(atFront);
  return atFront;
}

type Good = { params?: Record<string, string>; query?: string; body?: object | string; status?: number };

const price = "source_currency=KES&destination_currency=USDT&chain=eip155%3A31337";
const draft = () => ({
  source_amount: 100_000,
  source_currency: "KES",
  destination_currency: "USDT",
  external_merchant_id: "merchant-1",
  chain: TEST_CHAIN.chain,
  wallet_address: WALLET,
  callback_url: "http://localhost:9/callback",
});
const order = { external_id: "order-1", amount: 100_000, currency: "KES", chain: TEST_CHAIN.chain };
const account = { type: "mobile_money", account: "+254700000000" };
const withdrawal = { ...order, source_currency: "USDT", destination: { ...account, name: "Wanjiru" } };
const topup = { ...order, external_user_id: "user-1", destination_currency: "USDT", source: account };
const event = { order_id: "wd_00000000000000000000000000", reference: "r-1", status: "succeeded" };
const onSettlement = (use: string): Good => ({ params: { tx_id: settlements[use] ?? "" } });

const onNoDestination = (body: object | string = ""): Good => ({ params: { destination_id: `de_${"0".repeat(26)}` }, body, status: 404 });
const onBatch = (use: string): Good => ({ params: { batch_id: batches[use] ?? "" } });
const ITEM = {
  external_tx_id: "payslip-1",
  source_amount: 100_000,
  source_currency: "KES",
  destination_currency: "USDT",
  external_merchant_id: "merchant-1",
  chain: TEST_CHAIN.chain,
  wallet_address: WALLET,
};

/** A valid request for each operation. Where a good answer needs more than these tests set up, `status` is the expected one. */
const GOOD: Record<string, () => Good> = {
  create_settlement: () => ({ body: draft() }),
  confirm_settlement: () => ({ body: { tx_id: settlements.confirm, external_tx_id: "ref-1" } }),
  confirm_one_settlement: () => ({ ...onSettlement("confirm_one"), body: { external_tx_id: "ref-2" } }),
  cancel_settlement: () => ({ body: { tx_id: settlements.cancel } }),
  cancel_one_settlement: () => onSettlement("cancel_one"),
  get_settlement: () => onSettlement("get"),
  prove_settlement: () => onSettlement("get"),
  list_settlements: () => ({ query: "limit=3&chain=eip155%3A31337" }),
  list_callbacks: () => onSettlement("get"),
  // A full page: the cursor behind the last one moves on by itself.
  list_events: () => ({ query: "limit=1" }),
  get_event: () => ({ params: { event_id: `ev_${"0".repeat(26)}` }, status: 404 }),
  create_event_destination: () => ({ body: { type: "webhook", url: "http://localhost:9/events", types: ["settlement.*"] } }),
  get_event_destination: () => onNoDestination(),
  change_event_destination: () => onNoDestination({ status: "paused" }),
  delete_event_destination: () => onNoDestination(),
  test_event_destination: () => onNoDestination(),
  replay_event_destination: () => onNoDestination({ from: "2026-01-01T00:00:00Z" }),
  create_batch: () => ({ body: { external_batch_id: "payroll-1", items: [ITEM] } }),
  estimate_batch: () => ({ body: { items: [ITEM] } }),
  get_batch: () => onBatch("get"),
  confirm_batch: () => onBatch("confirm"),
  cancel_batch: () => onBatch("cancel"),
  requote_batch: () => onBatch("requote"),
  approve_batch: () => ({ ...onBatch("approve"), body: {} }),
  reject_batch: () => ({ ...onBatch("reject"), body: { reason: "The recipient is unknown." } }),
  resend_callback: () => ({ params: { tx_id: settlements.get ?? "", callback_id: "cb_x" }, status: 404 }),
  attempt_callback: () => ({ params: { tx_id: settlements.get ?? "", callback_id: "cb_x" }, status: 404 }),
  list_all_callbacks: () => ({ query: "limit=1" }),
  get_callback: () => ({ params: { callback_id: "cb_x" }, status: 404 }),
  resend_any_callback: () => ({ params: { callback_id: "cb_x" }, status: 404 }),
  attempt_any_callback: () => ({ params: { callback_id: "cb_x" }, status: 404 }),
  preview_rate: () => ({ query: `${price}&source_amount=100000` }),
  echo: () => ({ body: "any \u0000 bytes { at all", query: "a=1&b=%7E" }),
  approve_settlement: () => ({ ...onSettlement("approve"), body: {} }),
  reject_settlement: () => ({ ...onSettlement("reject"), body: { reason: "not for this merchant" } }),
  // Nothing is owed for it.
  release_settlement: () => ({ ...onSettlement("get"), body: { reason: "we know the payee" }, status: 404 }),
  refuse_settlement: () => ({ ...onSettlement("get"), body: { reason: "nobody knows the payee" }, status: 404 }),
  create_partner: () => ({ body: { name: "Acme", slug: "acme", roles: ["AGGREGATOR"] } }),
  create_partner_payment: () => ({
    params: { partner_id: ids.partner_id ?? "" },
    body: { amount: 100_000, currency: "KES", received_at: "2026-01-01T00:00:00Z", reference: "FT-1" },
  }),
  list_partner_payments: () => ({ params: { partner_id: ids.partner_id ?? "" } }),
  update_charge_fee: () => ({ params: { partner_id: ids.partner_id ?? "" }, body: { charge_fee_percentage: 1.5 } }),
  update_partner_status: () => ({ params: { partner_id: ids.partner_id ?? "" }, body: { status: "active" } }),
  create_api_key: () => ({ body: { partner_id: ids.partner_id } }),
  delete_api_key: () => ({ params: { id: ids.spare_key ?? "" } }),
  rotate_api_key: () => ({ params: { id: ids.own_key ?? "" }, body: { overlap_seconds: 3_600 } }),
  rotate_callback_secret: () => ({ params: { partner_id: ids.partner_id ?? "" }, body: { overlap_seconds: 60 } }),
  create_member: () => ({ body: { external_user_id: "user-2", phone: "+254700000002", wallet_address: WALLET, chain: TEST_CHAIN.chain } }),
  get_member: () => ({ params: { external_user_id: "user-1" } }),
  update_member: () => ({ params: { external_user_id: "user-1" }, body: { name: "Wanjiru" } }),
  get_member_safe_info: () => ({ params: { external_user_id: "user-1" }, status: 404 }),
  withdraw_fiat: () => ({ body: withdrawal, status: 422 }),
  withdraw_fiat_for_registered_member: () => ({ body: { ...withdrawal, external_user_id: "user-1" }, status: 422 }),
  withdraw_fiat_preview: () => ({ query: "amount=100000&currency=KES&source_currency=USDT&chain=eip155%3A31337" }),
  topup_fiat_preview: () => ({ query: "amount=100000&currency=KES&destination_currency=USDT&chain=eip155%3A31337" }),
  withdraw_fiat_status: () => ({ params: { id: "wd_x" }, status: 404 }),
  withdraw_fiat_callback: () => ({ body: event, status: 404 }),
  topup_fiat: () => ({ body: topup }),
  topup_fiat_status: () => ({ params: { id: "tu_x" }, status: 404 }),
  withdraw_fiat_cancel: () => ({ params: { id: "wd_x" }, body: {}, status: 404 }),
  topup_fiat_cancel: () => ({ params: { id: "tu_x" }, body: {}, status: 404 }),
  topup_fiat_callback: () => ({ body: event, status: 404 }),
  convert_to_currency: () => ({ query: "from=KES&to=USDT&amount=100000" }),
  login_for_access_token: () => ({ body: `username=admin%40example.com&password=${PASSWORD}` }),
  create_admin: () => ({ body: { username: "b@example.com", password: "vellum-otter-93-quay", name: "B", role: "viewer" } }),
  logout: () => ({ status: 401 }),
  report_leaked_key: () => ({ body: { api_key: "no key", api_secret: "no secret" } }),
  get_proof_status: () => ({ body: { proof: "no proof" }, status: 422 }),
  create_safe: () => ({ body: { chain: "eip155:1", owners: [WALLET], threshold: 1 }, status: 422 }),
  create_master_contract_1_3_0: () => ({ body: { chain: "eip155:1" }, status: 422 }),
  create_master_contract_1_4_1: () => ({ body: { chain: "eip155:1" }, status: 422 }),
  create_compatibility_fallback_handler: () => ({ body: { chain: "eip155:1" }, status: 422 }),
  advance_clock: () => ({ body: { advance_seconds: 1 } }),
  set_rate: () => ({ body: { source_currency: "KES", destination_currency: "USDT", rate: 0.0078 } }),
};

/** The request with its caller's credential; `wrong`: with an invalid one. */
function requestOf(
  operation: Operation,
  { params = {}, query = "", body = "" }: Good,
  credential: "right" | "wrong" | "none" = "right",
): Sent {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? "x");
  const target = query === "" ? path : `${path}?${query}`;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = operation.media === "form" ? "application/x-www-form-urlencoded" : "application/json";
  const headers = { "Content-Type": type, ...(credential === "none" ? {} : credentials(operation, target, text, credential)) };
  return { method: operation.method, target, headers, body: operation.method === "GET" ? "" : text };
}

function credentials({ caller, method }: Operation, target: string, body: string, kind: "right" | "wrong"): Record<string, string> {
  const wrong = kind === "wrong";
  switch (caller) {
    case "signed": {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = sign(wrong ? "another secret" : own.apiSecret, {
        timestamp,
        method,
        ...splitTarget(target),
        body: Buffer.from(body),
      });
      const nonce = randomUUID();
      return { Authorization: own.apiKey, "X-Service-Timestamp": timestamp, "X-Service-Nonce": nonce, "X-Service-Signature": signature };
    }
    case "provider":
      return { "X-Signature": railSignature(wrong ? "another secret" : TEST_RAIL_SECRET, body) };
    case "anybody":
      return {};
    default:
      return { apiKey: wrong ? `key_test_${"x".repeat(32)}` : (caller === "operator" ? operator : own).apiKey };
  }
}

const ALL = Object.entries(REGISTRY).flatMap(([name, { bindings }]) =>
  bindings.map(({ operation }) => [operation.id, name as keyof typeof REGISTRY, operation] as const),
);

describe.each(ALL)("%s", (id, surface, operation) => {
  const writes = operation.method !== "GET" && operation.method !== "DELETE";
  const good = () => GOOD[id]?.() ?? {};

  it("answers a valid request alike at both doors, and a repeat of it", async () => {
    const sent = requestOf(operation, good());
    const reply = await expectTheSame(surface, sent);
    expect([reply.status, reply.body]).toEqual([good().status ?? expect.toSatisfy((status) => status >= 200 && status < 300), reply.body]);
    await expectTheSame(surface, sent);
    if (operation.method === "GET") await expectTheSame(surface, requestOf({ ...operation, method: "HEAD" as "GET" }, good()));
  });

  it("refuses a missing credential and a wrong one alike", async () => {
    await expectTheSame(surface, requestOf(operation, good(), "none"));
    await expectTheSame(surface, requestOf(operation, good(), "wrong"));
  });

  it("refuses alike what is not well formed, too large, of another type, or not known", async () => {
    const bad: Good[] = [{ query: "nonsense=1&nonsense=2" }, { query: "nonsense=%zz" }];
    if (writes) bad.push({ body: "{" }, { body: '{"a":1,"a":2}' }, { body: { unknown: 1 } }, { body: "x".repeat(65_537) });
    for (const each of bad) {
      const reply = await expectTheSame(surface, requestOf(operation, { ...good(), ...each }));
      // An echo validates neither query nor body, and a wrong HEAD is just as wrong.
      if (operation.unread !== true || reply.status === 413) expect(reply.status).toBeGreaterThanOrEqual(400);
    }
    const sent = requestOf(operation, good());
    await expectTheSame(surface, { ...sent, headers: { ...sent.headers, "Content-Type": "text/plain" } });
  });

  it("says alike which methods it knows, and that there is nothing else", async () => {
    const sent = requestOf(operation, good());
    for (const method of ["OPTIONS", "PATCH"]) {
      const reply = await expectTheSame(surface, { ...sent, method });
      if (!ALL.some(([, , other]) => other.path === operation.path && other.method === method))
        expect([reply.status, reply.headers.allow]).toEqual([405, expect.stringContaining(operation.method)]);
    }
    expect((await expectTheSame(surface, { ...sent, target: `${splitTarget(sent.target).path}/` })).status).toBe(404);
  });
});

it("answers alike once for an Idempotency-Key, and gives the kept answer again", async () => {
  const create = ALL.find(([id]) => id === "create_settlement")?.[2];
  if (create === undefined) throw new Error("settlements can no longer be created");
  const sent = () => {
    const { headers, ...rest } = requestOf(create, { body: draft() });
    return { ...rest, headers: { ...headers, "Idempotency-Key": "once" } };
  };
  const reply = await expectTheSame("settlement", sent());
  const again = await expectTheSame("settlement", sent());
  expect([reply.status, again.status, again.headers["idempotent-replayed"], again.body]).toEqual([201, 201, "true", reply.body]);
});

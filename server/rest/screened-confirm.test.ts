import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { listHoldsOf, listVerdictsOf } from "#db/queries/holds/payment-holds.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { insertSettlements } from "#db/queries/settlements/write-settlements.ts";
import { SYSTEM } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { createScreener } from "#server/adapters/screening/screener.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { batchItem, batchOf } from "#testing/batches.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { countTrips, openConnections } from "#testing/round-trips.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { deployNaming, type Naming, noScreening } from "#testing/screening.ts";
import { issueKey, type RequestParts, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { newAddress } from "#testing/transfers.ts";
import { REGISTRY } from "./registry.ts";
import { handle } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

/** A confirmation screens the recipient, at no additional round trip to the database. */

const { surface, bindings } = REGISTRY.settlement;
let database: TestDatabase;
let pool: OpenDatabase;
let chain: TestChain;
let node: RpcProxy;
let oracle: Naming;
let surfaceContext: SurfaceContext;
let key: IssuedApiKey;
const counter = countTrips();

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({
    url: database.url,
    applicationName: "counted",
    maxConnections: 2,
    role: database.webRole,
    onStatement: counter.onStatement,
  });
  await openConnections(pool, 2);
  chain = await startTestChain();
  node = await startRpcProxy(chain.rpcUrl);
  oracle = await deployNaming(chain, "SanctionsOracle");
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
});
afterAll(async () => {
  await pool.close();
  await database.close();
  await node.stop();
  await chain.stop();
});
beforeEach(async () => {
  Object.assign(node, { rule: () => "pass", delayMs: 0 });
  const ctx = testContext(pool.db);
  const native = { currency: "ETH", decimals: 18 };
  const settings = { chain: TEST_CHAIN.chain, name: "Test chain", rpcUrls: [node.url], confirmations: 1, native, tokens: [] };
  const asked = { isOn: true, confirmMs: 1_000, list: null, oracles: { [TEST_CHAIN.chain]: oracle.address }, blocklists: [] };
  const screener = createScreener(asked, { evm: openEvmChains([settings]), log: ctx.log }, { answerMs: 0, silenceMs: 0 });
  surfaceContext = testSurfaceContext({ ...ctx, screener });
  key = await issueKey(surfaceContext.ctx);
});

async function ask(parts: RequestParts, by: IssuedApiKey = key, at: SurfaceContext = surfaceContext) {
  const { result, trips } = await counter.count(() => handle(surface, at, bindings, signedRequest(by, parts)));
  return { ...readAnswer(result), trips };
}
async function quote(wallet: string, at: SurfaceContext = surfaceContext): Promise<string> {
  const body = JSON.stringify({
    source_amount: 100_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "merchant-1",
    chain: TEST_CHAIN.chain,
    wallet_address: wallet,
    callback_url: "http://localhost:9/callback",
  });
  return String((await ask({ method: "POST", target: "/api/v1/settlements", body }, key, at)).body.tx_id);
}
/** A quote that this process has not cached. */
async function insertElsewhere(wallet: string): Promise<string> {
  const model = await findSettlement(database.db, await quote(newAddress()));
  if (model === null) throw new Error("the quote is gone");
  const now = new Date();
  const made = { ...model, id: newId("settlement", now), walletAddress: wallet };
  const entry = { by: SYSTEM, partnerId: made.partnerId, action: "settlement.created", objectId: made.id, change: {}, now };
  await insertSettlements(database.db, [{ settlement: made, entry, event: null }]);
  return made.id;
}
const confirming = (id: string): RequestParts => ({
  method: "POST",
  target: `/api/v1/settlements/${id}/confirm`,
  body: JSON.stringify({ external_tx_id: `ref-${id}` }),
});
const kept = async (id: string) =>
  (await listVerdictsOf(database.db, id)).map(({ check, stage, outcome }) => `${check} ${stage} ${outcome}`);
const holds = async (id: string) => (await listHoldsOf(database.db, [id])).map(({ outcome, reason }) => [outcome, reason]);

test("a recipient that nobody names is paid; one that the oracle names is confirmed and held, and the partner learns only that", async () => {
  const [good, bad] = [newAddress(), newAddress()];
  await oracle.name(bad);
  const [paid, held] = [await quote(good), await quote(bad)];
  expect((await ask(confirming(paid))).body).toMatchObject({ status: "processing", waiting_reason: null });
  const answer = await ask(confirming(held));
  expect(answer).toMatchObject({ status: 200, body: { status: "processing", waiting_reason: "hold", waiting_since: expect.any(String) } });
  expect(JSON.stringify(answer.body)).not.toMatch(/oracle|screen|sanction/i);
  expect([await kept(paid), await kept(held)]).toEqual([["screening confirm pass"], ["screening confirm hold"]]);
  expect(await holds(held)).toEqual([["open", `The recipient is named by the sanctions oracle ${oracle.address}.`]]);
  const [verdict] = await listVerdictsOf(database.db, held);
  expect(verdict?.findings).toMatchObject([
    {
      version: expect.stringMatching(/^block \d+$/),
      facts: {
        answer: "hit",
        source: `oracle ${oracle.address}`,
        address: bad,
        chain: TEST_CHAIN.chain,
        block: expect.any(Number),
        asked_at: expect.any(String),
      },
    },
  ]);
  const again = await ask(confirming(held));
  expect(again.body).toMatchObject({ waiting_reason: "hold" });
  expect(await kept(held), "a repeat keeps nothing").toEqual(["screening confirm hold"]);
});

test("each recipient of a batch is screened when it is confirmed, once however often it is named: a named one is held, and the others are paid", async () => {
  const [good, bad] = [newAddress(), newAddress()];
  await oracle.name(bad);
  const items = [good, bad, good].map((wallet_address) => batchItem({ wallet_address }));
  const batch = (target: string, body: object) =>
    ask({ method: "POST", target: `/api/v1/settlement-batches${target}`, body: JSON.stringify(body) });
  const { body: made } = await batch("", batchOf(items, { callback_url: "http://localhost:9/batch" }));
  const isQuestion = (params: unknown[]) => JSON.stringify(params).includes("0xdf592f7d");
  let questions = 0;
  node.rule = (_method, params) => {
    questions += Number(isQuestion(params));
    return "pass";
  };
  expect(await batch(`/${made.batch_id}/confirm`, {})).toMatchObject({ status: 200, body: { counts: { processing: 3 } } });
  const ids = (made.items as { tx_id: string }[]).map(({ tx_id }) => tx_id);
  expect(await Promise.all(ids.map(kept))).toEqual([["screening confirm pass"], ["screening confirm hold"], ["screening confirm pass"]]);
  expect(await holds(ids[1] ?? "")).toEqual([["open", `The recipient is named by the sanctions oracle ${oracle.address}.`]]);
  expect(questions).toBe(2);
});

test("a node that refuses, answers nonsense or hangs holds the payment, and never its confirmation", async () => {
  const isQuestion = (params: unknown[]) => JSON.stringify(params).includes("0xdf592f7d");
  for (const rule of ["refuse", { result: "0x" }, { error: { code: -32_000, message: "execution reverted" } }] as const) {
    node.rule = (_method, params) => (isQuestion(params) ? rule : "pass");
    const id = await quote(newAddress());
    expect((await ask(confirming(id))).body, JSON.stringify(rule)).toMatchObject({ status: "processing", waiting_reason: "hold" });
    expect(await holds(id)).toEqual([["open", `There is no answer from the sanctions oracle ${oracle.address}.`]]);
  }
  node.rule = () => "pass";
  node.delayMs = 5_000;
  const late = await quote(newAddress());
  expect((await ask(confirming(late))).body).toMatchObject({ status: "processing", waiting_reason: "hold" });
  expect((await listVerdictsOf(database.db, late))[0]?.findings[0]?.facts).toMatchObject({
    answer: "silent",
    detail: "not within 1000 ms",
  });
});

test("a confirmation waits for the database four times, as it does unscreened; five times where another process made the quote", async () => {
  // The minimum of several: a statement that is new to the connection costs one more.
  const fewest = async (make: () => Promise<string>, at = surfaceContext) => {
    const trips: number[] = [];
    for (let time = 0; time < 12; time += 1) trips.push((await ask(confirming(await make()), key, at)).trips);
    return Math.min(...trips);
  };
  expect(await fewest(() => quote(newAddress()))).toBe(4);
  const bare = testSurfaceContext({ ...surfaceContext.ctx, screener: noScreening });
  expect(await fewest(() => quote(newAddress(), bare), bare)).toBe(4);
  const unscreened = await quote(newAddress(), bare);
  await ask(confirming(unscreened), key, bare);
  expect(await kept(unscreened)).toEqual([]);
  expect(await fewest(() => insertElsewhere(newAddress()))).toBe(5);
  const elsewhere = await insertElsewhere(newAddress());
  await ask(confirming(elsewhere));
  expect(await kept(elsewhere)).toEqual(["screening confirm pass"]);
});

test("another partner's settlement is not found, and nobody is asked about it", async () => {
  const id = await quote(newAddress());
  const stranger = await issueKey(surfaceContext.ctx);
  node.calls.length = 0;
  expect(await ask(confirming(id), stranger)).toMatchObject({ status: 404, body: { code: "settlement_not_found" } });
  expect(await ask({ ...confirming(id), target: `/api/v1/settlements/tx_${randomUUID()}/confirm` })).toMatchObject({ status: 404 });
  expect(node.calls).toEqual([]);
});

import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readMode } from "#cli/service.ts";
import type { Context } from "#server/context.ts";
import { answerOpenApi } from "#server/rest/openapi.ts";
import type { Registered } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { closeFrontDoors, openFrontDoor } from "#testing/front-door.ts";
import { type Agent, openAgent } from "#testing/mcp.ts";
import { deadUrl, forgetProfiles, keepProfile } from "#testing/settle.ts";
import { issueKey, TEST_SETTINGS, testContext, testSurfaceContext } from "#testing/surface.ts";

/** An agent before a service in live mode: the service's own surfaces on a real database, behind its own front door. */

let database: TestDatabase;
let ctx: Context;
let live: IssuedApiKey;
let trial: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  ctx = testContext(database.db);
  live = await issueKey(ctx, { mode: "live" });
  trial = await issueKey(ctx, { mode: "test" });
});
afterAll(() => database.close());

const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await closeFrontDoors();
  forgetProfiles();
});

/** Answers `/openapi` as that mode does, or in a manner that leaves the mode open. */
async function openService(mode: "live" | "sandbox", document: "its own" | "broken" | "a page" = "its own"): Promise<string> {
  const surfaceContext = testSurfaceContext({ ...ctx, mode }, { mode });
  const { port } = await openFrontDoor({
    answer: (raw, registered) => {
      const { surface, bindings } = registered as Registered;
      return handle(surface, surfaceContext, bindings, raw);
    },
    next: async (request, response) => {
      const file = (request.url ?? "").replace(/^\/openapi\//, "");
      if (document === "broken") return void response.writeHead(500).end();
      if (document === "a page") return void response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
      const answer = answerOpenApi(file, { ...TEST_SETTINGS, mode });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(await answer.text());
    },
  });
  return `http://127.0.0.1:${port}`;
}

async function agentOf(base_url: string, { apiKey, apiSecret }: IssuedApiKey): Promise<Agent> {
  const agent = await openAgent(keepProfile({ base_url, api_key: apiKey, api_secret: apiSecret }));
  agents.push(agent);
  return agent;
}

const quoteInput = () => ({
  intent: randomUUID(),
  source_amount: 100_000,
  source_currency: "KES",
  destination_currency: "USDT",
  chain: TEST_CHAIN.chain,
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  external_merchant_id: "it's 7; rm -rf .",
  callback_url: "https://partner.example/hook?a=1&b='2",
});

test.each([
  ["a live service", "live", "its own", () => live],
  ["a service that says nothing of its mode", "sandbox", "broken", () => trial],
  ["one whose answer is a page", "sandbox", "a page", () => trial],
  ["a sandbox asked with a live key", "sandbox", "its own", () => live],
] as const)("before %s an agent quotes, and only proposes what would pay or take away", async (_name, mode, document, key) => {
  const base = await openService(mode, document);
  const agent = await agentOf(base, key());
  expect((await agent.call("get_mode")).value).toMatchObject({ mode: "live" });
  const { value: quote } = await agent.call("quote", quoteInput());
  expect(quote).toMatchObject({ status: "quoted" });
  const tx_id = String(quote.tx_id);
  const amount = Number(quote.destination_amount);

  const confirm = await agent.call("confirm", { tx_id, expected_destination_amount: 1, callback_url: "https://partner.example/hook?b='2" });
  expect(confirm).toMatchObject({
    isError: false,
    value: {
      proposal: {
        done: false,
        action: "confirm",
        tx_id,
        body: { external_tx_id: `mcp-${tx_id}`, expected_destination_amount: amount },
        look_at: `${base}/console/settlements/${tx_id}`,
        a_person_runs: `npx settle confirm ${tx_id} --external-tx-id mcp-${tx_id} --callback-url 'https://partner.example/hook?b='\\''2' --expect ${amount}`,
      },
    },
  });
  expect((await agent.call("cancel", { tx_id })).value).toMatchObject({ proposal: { done: false, action: "cancel" } });
  const { intent: _, callback_url: url, ...item } = quoteInput();
  const items = [{ ...item, external_tx_id: randomUUID() }];
  const { value: batch } = await agent.call("quote_batch", { external_batch_id: randomUUID(), items, callback_url: url });
  expect(batch).toMatchObject({ status: "quoted", item_count: 1 });
  const { batch_id } = batch;
  const a_person_runs = `npx settle batch confirm ${batch_id}`;
  expect((await agent.call("confirm_batch", { batch_id })).value).toMatchObject({ proposal: { done: false, batch_id, a_person_runs } });
  expect((await agent.call("cancel_batch", { batch_id })).value).toMatchObject({ proposal: { done: false, action: "cancel_batch" } });
  expect((await agent.call("get_batch", { batch_id })).value).toMatchObject({ status: "quoted", confirmed_at: null });
  const trigger = await agent.call("trigger", { outcome: "executed", intent: randomUUID() });
  expect([trigger.isError, JSON.stringify(trigger.value)]).toEqual([true, expect.stringContaining("works only in a sandbox")]);
  expect((await agent.call("get_settlement", { tx_id })).value).toMatchObject({
    status: "quoted",
    external_tx_id: null,
    cancelled_at: null,
  });
});

test("a sandbox that says so is one; a service that is away is live", async () => {
  const { signal } = new AbortController();
  const base_url = await openService("sandbox");
  expect(await readMode({ base_url, api_key: trial.apiKey }, signal)).toBe("sandbox");
  expect(await readMode({ base_url: await openService("live"), api_key: trial.apiKey }, signal)).toBe("live");
  expect(await readMode({ base_url: await deadUrl(), api_key: trial.apiKey }, signal)).toBe("live");
});

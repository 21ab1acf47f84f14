import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { type Agent, openAgent } from "#testing/mcp.ts";
import { BASE_URL, chain, sandbox } from "../support/running-sandbox.ts";
import { sdk } from "../support/sdk.ts";
import { profileWith } from "../support/settle.ts";
import { freshWallet } from "../support/settlements.ts";

/** `npx settle mcp` over stdio, with the protocol's own client, against the sandbox. */

let agent: Agent;
test.beforeAll(async () => {
  agent = await openAgent(profileWith());
});
test.afterAll(() => agent.close());

const quoteInput = (intent: string) => ({
  intent,
  source_amount: 100_000,
  source_currency: "KES",
  destination_currency: "USDT",
  chain: chain.chain,
  wallet_address: freshWallet(),
  external_merchant_id: "merchant-7",
  callback_url: `${sandbox.receivers.url}/well`,
});

test("every tool says whether it changes anything", async () => {
  const { tools } = await agent.client.listTools();
  const reads = [
    "search_docs",
    "read_docs",
    "get_mode",
    "list_pairs",
    "get_settlement",
    "list_settlements",
    "list_callbacks",
    "list_transactions",
    "list_pools",
    "get_batch",
  ];
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual(reads);
  expect(tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)).toEqual([
    "confirm",
    "cancel",
    "trigger",
    "confirm_batch",
    "cancel_batch",
  ]);
  for (const { name, outputSchema } of tools) expect(outputSchema?.type, name).toBe("object");
  for (const { description, annotations } of tools) expect([description, annotations?.idempotentHint]).toEqual([expect.any(String), true]);
  expect(agent.client.getInstructions()).toContain("proposal");
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(agent.client.getServerVersion()).toMatchObject({ name: "settlement-service", version });
});

test("an agent finds its way in the documentation, quotes, confirms, and reads how it ended", async () => {
  expect((await agent.call("get_mode")).value).toEqual({ mode: "sandbox", base_url: BASE_URL });
  const { value: found } = await agent.call("search_docs", { query: "quote_expired", limit: 3 });
  expect(found.results).toContainEqual(expect.objectContaining({ url: `${BASE_URL}/docs/errors/quote_expired` }));
  const { value: page } = await agent.call("read_docs", { path: "/docs/errors/quote_expired" });
  const uri = "settlement:/docs/errors/quote_expired";
  const { resources } = await agent.client.listResources();
  expect(resources).toContainEqual(expect.objectContaining({ uri, mimeType: "text/markdown" }));
  const [read] = (await agent.client.readResource({ uri })).contents;
  expect(read).toMatchObject({ uri, text: expect.stringContaining(String(page.text)) });
  await expect(agent.client.readResource({ uri: "settlement:/docs/nothing" })).rejects.toThrow("There is no page");
  expect((await agent.call("read_docs", { path: "/docs/nothing" })).isError).toBe(true);
  const { value: pairs } = await agent.call("list_pairs");
  expect(pairs.pairs).toContainEqual(expect.objectContaining({ source_currency: "KES", destination_currency: "USDT", quoting: "up" }));

  const input = quoteInput(`order-${randomUUID()}`);
  const { value: quote } = await agent.call("quote", input);
  expect(quote).toMatchObject({ status: "quoted", destination_amount: 7.18189 });
  const tx_id = String(quote.tx_id);
  expect((await agent.call("quote", input)).value.tx_id).toBe(tx_id);

  const { value: confirmed } = await agent.call("confirm", { tx_id, expected_destination_amount: 7.18189 });
  expect(confirmed).toMatchObject({ external_tx_id: `mcp-${tx_id}` });
  expect((await agent.call("confirm", { tx_id })).isError).toBe(false);
  const ended = await sdk.settlements.waitForTerminal(tx_id);
  expect(ended.status).toBe("executed");
  expect((await agent.call("get_settlement", { tx_id })).value).toMatchObject({ status: "executed", tx_hash: ended.tx_hash });
  expect((await agent.call("list_settlements", { external_tx_id: `mcp-${tx_id}` })).value).toMatchObject({ settlements: [{ tx_id }] });
  expect((await agent.call("list_transactions", { type: "settlement", limit: 5 })).value).toMatchObject({ items: expect.any(Array) });
  expect((await agent.call("list_callbacks", { tx_id })).value).toMatchObject({ callbacks: [{ event: "settlement.executed" }] });
  expect((await agent.call("list_pools")).value.pools).toContainEqual(expect.objectContaining({ currency: "KES" }));
});

test("an agent cancels, and brings an outcome about; the same intent brings it about once", async () => {
  const { value: quote } = await agent.call("quote", quoteInput(randomUUID()));
  expect((await agent.call("cancel", { tx_id: quote.tx_id })).value).toMatchObject({ status: "cancelled" });
  const failing = { outcome: "failed", intent: randomUUID() };
  const { value: first } = await agent.call("trigger", failing);
  expect(first).toMatchObject({ status: "failed" });
  expect((await agent.call("trigger", failing)).value.tx_id).toBe(first.tx_id);
});

test("a refusal shows its code and its page; what has the wrong form is not sent", async () => {
  const missing = await agent.call("get_settlement", { tx_id: "tx_nope" });
  expect(missing).toMatchObject({ isError: true, value: { refused: { status: 404, code: "settlement_not_found" } } });
  const poor = await agent.call("quote", { ...quoteInput(randomUUID()), source_amount: 100.5 });
  expect(poor.isError).toBe(true);
  expect(JSON.stringify(poor.value)).toContain("source_amount");
});

test("nothing but the protocol comes out of it, and no secret", async () => {
  expect(agent.stderr()).toBe("");
  const { value } = await agent.call("get_mode");
  expect(JSON.stringify(value)).not.toContain(sandbox.partner.api_secret);
});

import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { openReceiver, type Receiver } from "#sandbox/client/receiver.ts";
import { BRAND } from "#sandbox/client/signing.ts";
import {
  type Callback,
  Refused,
  SettlementClient,
  type SettlementCreate,
  verifyCallback,
  verifyMirrored,
} from "#sdk/typescript/src/index.ts";
import { freshName, freshPhone } from "../support/partner-surface.ts";
import { BASE_URL, chain, sandbox } from "../support/running-sandbox.ts";
import { sdk } from "../support/sdk.ts";
import { freshWallet } from "../support/settlements.ts";

/** What a partner's program does with the TypeScript SDK. */

let receiver: Receiver;
test.beforeEach(async () => {
  receiver = await openReceiver();
});
test.afterEach(() => receiver.close());

/** The callback of that number, with both signatures valid. */
async function receive(number: number): Promise<Callback> {
  const delivery = await receiver.delivery(number, 60_000);
  await verifyMirrored(delivery, { apiSecret: sandbox.partner.api_secret, brand: BRAND });
  return await verifyCallback(delivery, { callbackSecret: sandbox.partner.callback_secret });
}

test("a quote under one intent is one settlement, which may be confirmed repeatedly, and the SDK reports when it is paid", async () => {
  const intent = randomUUID();
  const body: SettlementCreate = {
    source_amount: 1_000_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "Käthe’s 店",
    chain: chain.chain,
    wallet_address: freshWallet(),
  };
  const [one, two] = [await sdk.settlements.create(body, { intent }), await sdk.settlements.create(body, { intent })];
  expect(two).toEqual(one);
  const changed = sdk.settlements.create({ ...body, source_amount: body.source_amount + 1 }, { intent });
  await expect(changed).rejects.toMatchObject({ code: "idempotency_key_reused" });

  const wrong = sdk.settlements.confirm(one.tx_id, { external_tx_id: intent, callback_url: receiver.url, expected_destination_amount: 1 });
  const refused = await wrong.catch((error: unknown) => error);
  expect(Refused.is(refused, "quote_changed") && refused.members.current_destination_amount).toBe(one.destination_amount);
  // A refusal of one call is not the answer to the next.
  for (let time = 0; time < 2; time += 1) {
    const confirmed = await sdk.settlements.confirm(one.tx_id, { external_tx_id: intent, callback_url: receiver.url });
    expect(["processing", "executed"]).toContain(confirmed.status);
  }
  const executed = await sdk.settlements.waitForTerminal(one.tx_id, { everyMs: 100 });
  const callback = await receive(1);
  expect([executed.status, callback.event, callback.body]).toEqual([
    "executed",
    "settlement.executed",
    expect.objectContaining({ tx_hash: executed.tx_hash, destination_amount: executed.destination_amount }),
  ]);

  await receiver.delivery(1);
  const [{ id = "" } = {}] = await sdk.settlements.callbacks(one.tx_id);
  await sdk.call({ surface: "settlement", method: "POST", path: `/api/v1/settlements/${one.tx_id}/callbacks/${id}/attempt` });
  expect((await receive(2)).id).toBe(callback.id);
  const found: string[] = [];
  for await (const each of sdk.settlements.list({ external_tx_id: intent })) found.push(each.tx_id);
  expect(found).toEqual([one.tx_id]);
});

test("a machine whose clock is an hour off is set right by the service, once", async () => {
  const sent: string[] = [];
  const watched: typeof fetch = (url, init) => {
    sent.push(String(new Headers(init?.headers).get(`X-${BRAND}-Timestamp`)));
    return fetch(url, init);
  };
  const { api_key: apiKey, api_secret: apiSecret } = sandbox.partner;
  const options = { baseUrl: BASE_URL, apiKey, apiSecret, brand: BRAND, fetch: watched };
  const now = Date.now;
  Date.now = () => now() - 3_600_000;
  try {
    const client = new SettlementClient(options);
    await client.prices.pairs();
    await client.echo({ hello: 1 });
  } finally {
    Date.now = now;
  }
  const ages = sent.map((seconds) => Math.round((now() / 1_000 - Number(seconds)) / 3_600));
  expect(ages.map(Math.abs)).toEqual([1, 0, 0]);
});

test("a top-up and a withdrawal that fail show the reason; asked for twice, there is one", async () => {
  const wallet_address = freshWallet();
  const { external_user_id } = await sdk.members.create({ external_user_id: freshName("user"), phone: freshPhone(), wallet_address });
  const common = { chain: chain.chain, amount: 123_400, currency: "KES", callback_url: receiver.url } as const;
  const topup = await sdk.topups.create({
    ...common,
    external_id: freshName("order"),
    external_user_id,
    destination_currency: "USDT",
    source: { type: "mobile_money", account: "+254700999901" },
  });
  const notPaid = await sdk.topups.waitForTerminal(topup.id, { everyMs: 100 });
  expect(await receive(1)).toMatchObject({ event: "topup.failed", body: { id: topup.id, failure_reason: notPaid.failure_reason } });

  const body = {
    ...common,
    external_id: freshName("order"),
    source_currency: "USDT",
    destination: { type: "mobile_money", account: "+254700999901", name: "Wanjiru" },
  } as const;
  const withdrawal = await sdk.withdrawals.create(body);
  expect((await sdk.withdrawals.create(body)).id).toBe(withdrawal.id);
  const returned = await sdk.withdrawals.waitForTerminal(withdrawal.id, { everyMs: 100 });
  expect(await receive(2)).toMatchObject({
    event: "withdrawal.failed",
    body: { id: withdrawal.id, return_tx_hash: returned.return_tx_hash },
  });
  const found: string[] = [];
  for await (const { type, id } of sdk.transactions({ external_id: body.external_id })) found.push(`${type} ${id}`);
  expect([found, (await sdk.partner()).wallet_address]).toEqual([[`withdrawal ${withdrawal.id}`], expect.stringMatching(/^0x/)]);
  const faulty = sdk.withdrawals.create({ ...body, amount: 0 });
  await expect(faulty).rejects.toMatchObject({ code: "validation_failed", faults: [{ at: "body.amount" }] });
});

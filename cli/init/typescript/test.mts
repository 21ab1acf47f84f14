import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Callback } from "settlement-sdk";
import { pay } from "./pay.mts";
import { createReceiver } from "./receiver.mts";
import { createClient, setting } from "./settings.mts";

/** The sandbox pays these orders on its own chain, and calls this receiver. */

const client = createClient();
const callbacks: Callback[] = [];
const deliveries: { headers: Record<string, string>; body: string }[] = [];
const receiver = createReceiver(setting("CALLBACK_SECRET"), async (callback) => {
  callbacks.push(callback);
});
let url = "";

before(async () => {
  receiver.on("request", (request) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const delivery = { headers, body: "" };
    deliveries.push(delivery);
    request.on("data", (chunk: Buffer) => {
      delivery.body += chunk;
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callbacks`;
});
after(() => receiver.close());

test("an order is paid once, however often it is sent, and its callback arrives", async () => {
  const order = { id: `order-${Date.now()}`, amount: 250_000, merchant: "shop-1", wallet: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" };
  const txId = await pay(client, order, url);
  assert.equal(await pay(client, order, url), txId);
  const settlement = await client.settlements.waitForTerminal(txId);
  assert.equal(settlement.status, "executed");
  const callback = await arrived(txId);
  assert.equal(callback.event, "settlement.executed");
  const paid: string[] = [];
  for await (const each of client.settlements.list({ external_tx_id: order.id })) paid.push(each.tx_id);
  assert.deepEqual(paid, [txId]);
});

test("a copy of a callback changes nothing", async () => {
  const [delivery] = deliveries;
  assert.ok(delivery);
  const before = callbacks.length;
  assert.equal((await post(delivery.headers, delivery.body)).status, 200);
  assert.equal(callbacks.length, before);
});

test("of two copies at the same time, one is handled", async () => {
  const [delivery] = deliveries;
  assert.ok(delivery);
  const handled: string[] = [];
  const slow = createReceiver(setting("CALLBACK_SECRET"), async ({ id }) => {
    handled.push(id);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }).listen(0, "127.0.0.1");
  await once(slow, "listening");
  const its = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/callbacks`;
  const answers = await Promise.all([1, 2].map(() => post(delivery.headers, delivery.body, its)));
  slow.close();
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.equal(handled.length, 1);
});

test("a forged callback is refused", async () => {
  const [delivery] = deliveries;
  assert.ok(delivery);
  const before = callbacks.length;
  assert.equal((await post(delivery.headers, delivery.body.replace("executed", "failed"))).status, 400);
  assert.equal((await post({}, delivery.body)).status, 400);
  assert.equal(callbacks.length, before);
});

/** The callback of a settlement, within 30 s. */
async function arrived(txId: string): Promise<Callback> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const callback = callbacks.find(({ body }) => "tx_id" in body && body.tx_id === txId);
    if (callback) return callback;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("no callback came within 30 s");
}

/** Sends what a callback sends: its signature and its body. */
async function post(headers: Record<string, string>, body: string, to = url): Promise<Response> {
  const signed = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("webhook-")));
  return await fetch(to, { method: "POST", headers: { ...signed, "content-type": "application/json" }, body });
}

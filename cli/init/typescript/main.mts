import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Callback } from "settlement-sdk";
import { pay } from "./pay.mts";
import { createReceiver } from "./receiver.mts";
import { createClient, setting } from "./settings.mts";

let finish: (callback: Callback) => void = () => {};
const called = new Promise<Callback>((resolve) => {
  finish = resolve;
});
const receiver = createReceiver(setting("CALLBACK_SECRET"), async (callback) => finish(callback)).listen(0, "127.0.0.1");
await once(receiver, "listening");
const { port } = receiver.address() as AddressInfo;

const order = {
  id: `order-${Date.now()}`,
  amount: 250_000,
  merchant: "shop-1",
  wallet: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};
const txId = await pay(createClient(), order, `http://127.0.0.1:${port}/callbacks`);
console.log(`${txId}: confirmed for ${order.id}`);
const { event, body } = await called;
console.log(`${event}: ${"tx_hash" in body ? body.tx_hash : ""}`);
receiver.close();

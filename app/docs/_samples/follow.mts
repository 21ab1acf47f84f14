// --- 1. Say where events go: settlement-sdk signs the request
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type Event, SettlementClient, verifyEvent } from "settlement-sdk";

const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "" } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });

const receiver = createServer().listen(0, "127.0.0.1");
await once(receiver, "listening");
const address = receiver.address();
if (address === null || typeof address === "string") throw new Error("no port");

const { id, status, secret } = await client.eventDestinations.create(
  { type: "webhook", url: `http://127.0.0.1:${address.port}/events`, types: ["settlement.*"] },
  { intent: `events-${Date.now()}` },
);
// Shown this once: keep it with your other secrets.
if (secret === undefined) throw new Error("no secret");
console.log(`1. ${id} is ${status}`);

// --- 2. Test it
const verified: Event[] = [];
receiver.on("request", async (request, response) => {
  try {
    // verifyEvent checks the raw bytes first. It throws unless they are ours and fresh.
    verified.push(await verifyEvent({ headers: request.headers, body: await text(request) }, { callbackSecret: secret }));
    response.end();
  } catch {
    // Anything but 2xx: it comes again.
    response.writeHead(500).end();
  }
});

let { last_test: test } = await client.eventDestinations.test(id);
while (test?.ended_at === null) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  test = (await client.eventDestinations.get(id)).last_test;
}
console.log(`2. test event delivered: ${test?.delivered}`);

// --- 3. Change something
const [pair] = await client.prices.pairs();
if (pair === undefined) throw new Error("You have no pair that may be quoted.");
const { source_currency, destination_currency, chain } = pair;
const { tx_id } = await client.settlements.create(
  {
    source_amount: pair.minimum_source_amount * 10,
    source_currency,
    destination_currency,
    chain,
    external_merchant_id: "shop-1",
    wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  },
  { intent: `order-${Date.now()}` },
);
console.log(`3. quoted: ${tx_id}`);

// --- 4. Verify its event
// The receiver of step 2 did this. Do the work once for each id, and ignore a version that is older than the one you have.
let event: Event | undefined;
while (event === undefined) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  event = verified.find(({ object_id }) => object_id === tx_id);
}
console.log(`4. verified: ${event.type}, version ${event.version}`);

// --- 5. Read it again
const read = await client.events.get(event.id);
await client.eventDestinations.delete(id);
receiver.close();
receiver.closeAllConnections();
console.log(`5. read: ${read.type} of ${read.object_id}`);

// --- 1. Sign a request: settlement-sdk does it
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { SettlementClient, verifyCallback } from "settlement-sdk";

const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", CALLBACK_SECRET = "" } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });

const [pair] = await client.prices.pairs();
if (pair === undefined) throw new Error("You have no pair that may be quoted.");
const { source_currency, destination_currency, chain, minimum_source_amount } = pair;
console.log(`1. signed: ${source_currency} to ${destination_currency} on ${chain}, from ${minimum_source_amount} minor units`);

// --- 2. Get a quote
// The intent is your id of the order: a repeat with it, after a crash for example, returns the same quote.
const order = `order-${Date.now()}`;
const quote = await client.settlements.create(
  {
    source_amount: minimum_source_amount * 10,
    source_currency,
    destination_currency,
    chain,
    external_merchant_id: "shop-1",
    wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  },
  { intent: order },
);
const { tx_id, destination_amount } = quote;
console.log(`2. quoted: ${destination_amount} ${destination_currency} until ${quote.expires_at}, as ${tx_id}`);

// --- 3. Confirm it, and say where to call back
const receiver = createServer().listen(0, "127.0.0.1");
await once(receiver, "listening");
const called = once(receiver, "request");
const address = receiver.address();
if (address === null || typeof address === "string") throw new Error("no port");

const confirmed = await client.settlements.confirm(tx_id, {
  external_tx_id: order,
  expected_destination_amount: destination_amount,
  callback_url: `http://127.0.0.1:${address.port}/callbacks`,
});
console.log(`3. confirmed: ${confirmed.status}`);

// --- 4. See it paid
const settlement = await client.settlements.waitForTerminal(tx_id);
console.log(`4. ${settlement.status}: ${settlement.tx_hash}`);

// --- 5. Verify the callback
// verifyCallback checks the raw bytes first. It throws unless they are ours and fresh.
const [request, response] = await called;
const callback = await verifyCallback({ headers: request.headers, body: await text(request) }, { callbackSecret: CALLBACK_SECRET });
response.end();
receiver.close();
console.log(`5. callback verified: ${callback.body.status}`);

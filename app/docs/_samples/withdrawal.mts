// --- 1. See what can be paid out, and from where
import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Callback, CallbackRefused, SettlementClient, verifyCallback } from "settlement-sdk";

const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", CALLBACK_SECRET = "" } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });

const { wallet_address } = await client.partner();
const pool = (await client.withdrawals.pools()).find(({ currency }) => currency === "KES");
if (pool === undefined) throw new Error("Nothing is paid out in KES.");
console.log(`1. out of the Safe ${wallet_address}: from ${pool.minimum} minor units of ${pool.currency}`);

// --- 2. Listen for the callback
// verifyCallback checks the raw bytes before you trust anything:
// it throws unless they are ours and fresh.
let tell: (callback: Callback) => void = () => {};
const verified = new Promise<Callback>((resolve) => {
  tell = resolve;
});
const receiver = createServer(async (request, response) => {
  const delivery = { headers: request.headers, body: await buffer(request) };
  try {
    const callback = await verifyCallback(delivery, { callbackSecret: CALLBACK_SECRET });
    response.writeHead(200).end();
    tell(callback);
  } catch (error) {
    // Refuse what is not ours. For an error on your side answer 500: the callback comes again.
    response.writeHead(error instanceof CallbackRefused ? 400 : 500).end();
  }
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const address = receiver.address();
if (address === null || typeof address === "string") throw new Error("no port");
const callback_url = `http://127.0.0.1:${address.port}/callbacks`;
console.log("2. listening");

// --- 3. Ask for the withdrawal
// The external_id is your own id, stored before you ask:
// a repeat with it, after a crash for example, is the same withdrawal.
const withdrawal = await client.withdrawals.create({
  external_id: `payout-${Date.now()}`,
  amount: 123_400, // KES 1,234.00
  currency: "KES",
  source_currency: "USDT",
  chain: "eip155:31337",
  destination: {
    type: "mobile_money",
    account: "+254712345678",
    name: "Wanjiru Kamau",
  },
  callback_url,
});
console.log(`3. ${withdrawal.status}: ${withdrawal.source_amount} ${withdrawal.source_currency} to be taken, as ${withdrawal.id}`);

// --- 4. See it end
const ended = await client.withdrawals.waitForTerminal(withdrawal.id);
console.log(`4. ${ended.status}: taken by ${ended.tx_hash}, paid as ${ended.provider_reference}`);

// --- 5. Read the verified callback
const callback = await verified;
receiver.close();
if (callback.event === "withdrawal.completed") {
  const { amount, currency, destination } = callback.body;
  console.log(`5. ${callback.event}: ${amount} ${currency} to ${destination.name}`);
} else if (callback.event === "withdrawal.failed") {
  const { failure_reason, return_tx_hash } = callback.body;
  console.log(`5. ${callback.event}: ${failure_reason} Given back by ${return_tx_hash}`);
}

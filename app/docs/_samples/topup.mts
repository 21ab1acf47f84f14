// --- 1. A member, and its Safe
import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Callback, CallbackRefused, SettlementClient, verifyCallback } from "settlement-sdk";

const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", CALLBACK_SECRET = "" } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });

// The external_user_id is your own id: created again with the same values, it is the same member.
const { external_user_id } = await client.members.create({
  external_user_id: "user-1001",
  phone: "+254712345678",
  name: "Wanjiru Kamau",
});
const member = await client.members.waitForSafe(external_user_id);
console.log(`1. ${external_user_id} has the Safe ${member.wallet_address}`);

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

// --- 3. Ask for the top-up, and tell the payer what to do
// The external_id is your own id, stored before you ask:
// a repeat with it, after a crash for example, is the same top-up.
const topup = await client.topups.create({
  external_id: `topup-${Date.now()}`,
  external_user_id,
  amount: 250_000, // KES 2,500.00
  currency: "KES",
  destination_currency: "USDT",
  chain: "eip155:31337",
  source: { type: "mobile_money", account: "+254712345678" },
  callback_url,
});
console.log(`3. ${topup.status}: ${topup.destination_amount} ${topup.destination_currency} to be sent, as ${topup.id}`);
console.log(`   to the payer: ${topup.payment.instructions}`);

// --- 4. See it end
const ended = await client.topups.waitForTerminal(topup.id);
console.log(`4. ${ended.status}: sent by ${ended.tx_hash}, collected as ${ended.provider_reference}`);

// --- 5. Read the verified callback
const callback = await verified;
receiver.close();
if (callback.event === "topup.completed") {
  const { destination_amount, destination_currency, wallet_address } = callback.body;
  console.log(`5. ${callback.event}: ${destination_amount} ${destination_currency} in ${wallet_address}`);
} else if (callback.event === "topup.failed") {
  console.log(`5. ${callback.event}: ${callback.body.failure_reason}`);
}

import { Refused, SettlementClient } from "#sdk/typescript/src/index.ts";

/** A correct client with the SDK: it settles ORDER under ORDER_ID exactly once, however often it is started. */
const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", ORDER = "{}", ORDER_ID = "", CALLBACK_URL = "" } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });
try {
  const quote = await client.settlements.create(JSON.parse(ORDER), { intent: ORDER_ID });
  await client.settlements.confirm(quote.tx_id, {
    external_tx_id: ORDER_ID,
    expected_destination_amount: quote.destination_amount,
    callback_url: CALLBACK_URL,
  });
  const { status } = await client.settlements.waitForTerminal(quote.tx_id);
  process.exitCode = status === "executed" ? 0 : 1;
} catch (error) {
  // A person must look at a refusal.
  process.stderr.write(`${Refused.is(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

import { Refused, SettlementClient } from "#sdk/typescript/src/index.ts";

/** A client that holds, built with the SDK: it settles ORDER under ORDER_ID, as often as it is started, once. */
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
  // What was refused is a person's to look at.
  process.stderr.write(`${Refused.is(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

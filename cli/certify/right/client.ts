import { Refused, SettlementClient } from "#sdk/typescript/src/index.ts";

/** A correct client with the SDK: it settles ORDER under ORDER_ID exactly once, however often it is started. */
const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", ORDER = "{}", ORDER_ID = "", CALLBACK_URL = "", QUERY } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });
const APPROVAL_SECONDS = 20;
try {
  if (QUERY !== undefined)
    for await (const { tx_id } of client.settlements.list(Object.fromEntries(new URLSearchParams(QUERY)))) if (tx_id) break;
  let quote = await client.settlements.create(JSON.parse(ORDER), { intent: ORDER_ID });
  // An approval prices again, so the price is read after it.
  for (let left = APPROVAL_SECONDS; quote.approval_state === "pending" && left > 0; left -= 1) {
    await new Promise((wait) => setTimeout(wait, 1_000));
    quote = await client.settlements.get(quote.tx_id);
  }
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

import { Refused, SettlementClient } from "#sdk/typescript/src/index.ts";

/** A correct client with the SDK: it makes the one withdrawal or top-up in ORDER under ORDER_ID, however often it is started. */
const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", KIND = "", ORDER = "{}", ORDER_ID = "" } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });
const orders = KIND === "topup" ? client.topups : client.withdrawals;
try {
  const { id } = await orders.create({ ...JSON.parse(ORDER), external_id: ORDER_ID });
  const { status } = await orders.waitForTerminal(id);
  process.exitCode = status === "completed" ? 0 : 1;
} catch (error) {
  // A person must look at a refusal.
  process.stderr.write(`${Refused.is(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

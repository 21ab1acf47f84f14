import { expectedTotal, Refused, SettlementClient } from "#sdk/typescript/src/index.ts";

/** A correct client with the SDK: it pays BATCH under BATCH_ID exactly once, however often it is started. */
const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", BATCH = "[]", BATCH_ID = "", CALLBACK_URL = "" } = process.env;
const { batches } = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });
try {
  const batch = await batches.create({ external_batch_id: BATCH_ID, items: JSON.parse(BATCH), callback_url: CALLBACK_URL });
  await batches.confirm(batch.batch_id, { expected_total: expectedTotal(batch.totals) });
  const { counts } = await batches.waitForTerminal(batch.batch_id);
  process.exitCode = counts.executed === batch.item_count ? 0 : 1;
} catch (error) {
  // A person must look at a refusal.
  process.stderr.write(`${Refused.is(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

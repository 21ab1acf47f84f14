import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** `node batch-client.ts FLAW`: a handwritten client for batches that makes one mistake. Without a flaw it is correct. */

/** The scenario in which the certifier must find it. */
export const BROKEN_BATCH_CLIENTS = {
  "new batch name each time": "lost batch",
  "batch name by chance": "crash",
  "takes a lost confirmation for a no": "lost confirmation",
  "takes any sum": "409 changed",
  "confirms what has expired": "410",
  "tries a refused batch again": "422",
  "takes completed for paid": "failed item",
} as const;
type Flaw = keyof typeof BROKEN_BATCH_CLIENTS;

const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", BATCH = "[]", BATCH_ID = "", CALLBACK_URL = "" } = process.env;
const has = (flaw: Flaw) => process.argv[2] === flaw;
type Body = Record<string, unknown>;

async function send(method: string, path: string, body: Body | null): Promise<{ status: number; body: Body } | null> {
  const text = body === null ? "" : JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const response = await fetch(`${SETTLEMENT_URL}${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      Authorization: API_KEY,
      "X-Service-Timestamp": timestamp,
      "X-Service-Nonce": randomUUID(),
      "X-Service-Signature": createHmac("sha256", API_SECRET).update(`${timestamp}\n${method}\n${path}\n\n${text}`).digest("hex"),
    },
    ...(body === null ? {} : { body: text }),
  }).catch(() => null);
  return response === null ? null : { status: response.status, body: (await response.json()) as Body };
}

/** Until there is a final answer. */
async function call(method: string, path: string, makeBody: () => Body | null): Promise<Body> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(method, path, makeBody());
    if (answer !== null && answer.status < 300) return answer.body;
    const isStubborn =
      (has("tries a refused batch again") && answer?.status === 422) || (has("confirms what has expired") && answer?.status === 410);
    const isLost = answer === null && !(has("takes a lost confirmation for a no") && path.endsWith("/confirm"));
    if (attempt >= 4 || !(isLost || isStubborn)) throw Object.assign(new Error(String(answer?.body.code)), { code: answer?.body.code });
    await sleep(100);
  }
}

const BATCHES = "/api/v1/settlement-batches";

async function pay(): Promise<boolean> {
  const reference = has("batch name by chance") ? randomUUID() : BATCH_ID;
  const batch = await call("POST", BATCHES, () => {
    const isNew = has("new batch name each time") || has("batch name by chance");
    const own = has("new batch name each time") ? randomUUID() : reference;
    const items = (JSON.parse(BATCH) as Body[]).map((item) => (isNew ? { ...item, external_tx_id: randomUUID() } : item));
    return { external_batch_id: own, items, callback_url: CALLBACK_URL };
  });
  const path = `${BATCHES}/${String(batch.batch_id)}`;
  const sums = (batch.totals as Body[]).map(({ destination_currency, destination_amount }) => [destination_currency, destination_amount]);
  const confirm = () => call("POST", `${path}/confirm`, () => (has("takes any sum") ? {} : { expected_total: Object.fromEntries(sums) }));
  await confirm().catch(async (error: unknown) => {
    if (Object(error).code !== "quote_expired") throw error;
    await call("POST", `${path}/requote`, () => ({}));
    await confirm();
  });
  for (;;) {
    const { status, counts, item_count } = await call("GET", path, () => null);
    if (status === "completed") return has("takes completed for paid") || Object(counts).executed === item_count;
    await sleep(100);
  }
}

if (import.meta.main) process.exitCode = (await pay().catch(() => false)) ? 0 : 1;

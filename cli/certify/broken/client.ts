import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** `node client.ts FLAW`: a handwritten client without the SDK that makes one mistake. Without a flaw it is correct. */

/** The scenario in which the certifier must find it. */
export const BROKEN_CLIENTS = {
  "no idempotency key": "lost quote",
  "new idempotency key each time": "lost quote",
  "same nonce again": "nonces",
  "deaf to Retry-After": "429",
  "gives up at once": "503",
  "new reference for each confirmation": "lost confirmation",
  "reference by chance": "crash",
  "hangs up after a second": "slow answer",
  "takes in progress for a no": "409 in progress",
  "hammers while it waits for approval": "409 approval",
  "takes any amount": "409 changed",
  "takes another reference": "409 conflict",
  "confirms what has expired": "410",
  "asks again under the old key": "410",
  "tries other than its key": "401",
  "tries a refused order again": "422",
  "deaf to the clock": "clock",
  "signs another body": "signatures",
  "says that all is well": "422",
  "chokes on fields it does not know": "plain",
  "rounds the amount": "plain",
  "takes a confirmation for the end": "plain",
  "takes failed for success": "failed",
  "confirms the price from before the approval": "approved",
  "sorts the query before it signs": "query",
} as const;
type Flaw = keyof typeof BROKEN_CLIENTS;

const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "", ORDER = "{}", ORDER_ID = "", CALLBACK_URL = "", QUERY } = process.env;
const has = (flaw: Flaw) => process.argv[2] === flaw;
const onceMade = randomUUID();
let aheadMs = 0;

type Answered = { status: number; body: Record<string, unknown> };
type Body = Record<string, unknown>;

async function send(
  method: string,
  path: string,
  key: string | null,
  body: Body | null,
): Promise<Answered & { retryAfter: number | null }> {
  const text = body === null ? "" : JSON.stringify(body);
  const timestamp = String(Math.floor((Date.now() + aheadMs) / 1_000));
  const signed = has("signs another body") ? ` ${text}` : text;
  const [bare = "", query = ""] = path.split("?");
  const signedQuery = has("sorts the query before it signs") ? query.split("&").toSorted().join("&") : query;
  const response = await fetch(`${SETTLEMENT_URL}${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      Authorization: API_KEY,
      "X-Service-Timestamp": timestamp,
      "X-Service-Nonce": has("same nonce again") ? onceMade : randomUUID(),
      "X-Service-Signature": createHmac("sha256", API_SECRET)
        .update(`${timestamp}\n${method}\n${bare}\n${signedQuery}\n${signed}`)
        .digest("hex"),
      ...(key === null || has("no idempotency key")
        ? {}
        : { "Idempotency-Key": has("new idempotency key each time") ? randomUUID() : key }),
    },
    signal: AbortSignal.timeout(has("hangs up after a second") ? 1_000 : 35_000),
    ...(body === null ? {} : { body: text }),
  });
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, body: (await response.json()) as Body, retryAfter: retryAfter === null ? null : Number(retryAfter) };
}

/** Until there is a final answer. */
async function call(method: string, path: string, key: string | null, makeBody: () => Body | null): Promise<Answered> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(method, path, key, makeBody()).catch(() => null);
    const code = answer?.body.code;
    if (answer !== null && answer.status < 300) return answer;
    const isWaiting = code === "idempotency_in_progress" && !has("takes in progress for a no");
    const isStubborn =
      (has("tries other than its key") && answer?.status === 401) ||
      (has("tries a refused order again") && answer?.status === 422) ||
      (has("confirms what has expired") && answer?.status === 410) ||
      (has("hammers while it waits for approval") && code === "approval_pending");
    if (code === "stale_timestamp" && attempt < 8) {
      if (!has("deaf to the clock")) aheadMs = Date.parse(String(answer?.body.server_time)) - Date.now();
      continue;
    }
    const isOver = answer !== null && answer.status < 500 && answer.status !== 429 && !isWaiting && !isStubborn;
    if (isOver || attempt >= (isStubborn ? 12 : 4) || has("gives up at once"))
      throw Object.assign(new Error(String(code)), { code, answer });
    const seconds = answer?.retryAfter ?? 0.1;
    await sleep((has("deaf to Retry-After") ? 0.01 : seconds) * 1_000);
  }
}

async function settle(key: string, isRepeated = false): Promise<void> {
  if (QUERY !== undefined) await call("GET", `/api/v1/settlements?${QUERY}`, null, () => null);
  const { body: made } = await call("POST", "/api/v1/settlements", key, () => JSON.parse(ORDER));
  const quote = await approved(made);
  const unknown = Object.keys(quote).find((name) => name === "certified_by");
  if (has("chokes on fields it does not know") && unknown !== undefined) throw new Error(`unknown field ${unknown}`);
  const path = `/api/v1/settlements/${String(quote.tx_id)}`;
  const reference = has("reference by chance") ? randomUUID() : ORDER_ID;
  const confirm = (external_tx_id: string) =>
    call("POST", `${path}/confirm`, null, () => ({
      external_tx_id: has("new reference for each confirmation") ? randomUUID() : external_tx_id,
      callback_url: CALLBACK_URL,
      ...(has("takes any amount") ? {} : { expected_destination_amount: expected(made, quote) }),
    }));
  await confirm(reference).catch(async (error: unknown) => {
    const code = Object(error).code;
    if (has("takes another reference") && code === "external_tx_id_conflict") return await confirm(`${reference}-2`);
    if (has("asks again under the old key") && code === "quote_expired" && !isRepeated) return await settle(key, true);
    throw error;
  });
  for (;;) {
    const { body } = await call("GET", path, null, () => null);
    if (body.status === "executed" || has("takes a confirmation for the end")) return;
    if (body.status === "failed") {
      if (has("takes failed for success")) return;
      throw new Error(String(body.failure_reason));
    }
    await sleep(100);
  }
}

function expected(made: Body, quote: Body): unknown {
  if (has("rounds the amount")) return Math.round(Number(quote.destination_amount) * 100) / 100;
  return has("confirms the price from before the approval") ? made.destination_amount : quote.destination_amount;
}

/** Waits a while for an admin, who prices again. */
async function approved(quote: Body): Promise<Body> {
  if (has("hammers while it waits for approval")) return quote;
  for (let left = 20; left > 0; left -= 1) {
    if (quote.approval_state !== "pending") return quote;
    await sleep(1_000);
    quote = (await call("GET", `/api/v1/settlements/${String(quote.tx_id)}`, null, () => null)).body;
  }
  return quote;
}

if (import.meta.main) {
  try {
    // By chance, or the same after every crash: the reference decides, not the key.
    await settle(has("reference by chance") ? randomUUID() : `order-${ORDER_ID}`);
  } catch {
    process.exitCode = has("says that all is well") ? 0 : 1;
  }
}

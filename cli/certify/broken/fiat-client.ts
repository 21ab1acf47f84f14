import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** `node fiat-client.ts FLAW`: a handwritten client for withdrawals and top-ups that makes one mistake. Without a flaw it is correct. */

/** The scenario in which the certifier must find it. */
export const BROKEN_FIAT_CLIENTS = {
  "takes the answer for the end": "withdrawal",
  "new external_id each time": "lost answer",
  "external_id by chance": "crash",
  "takes failed for success": "failed",
} as const;
type Flaw = keyof typeof BROKEN_FIAT_CLIENTS;

const { SETTLEMENT_URL = "", API_KEY = "", KIND = "", ORDER = "{}", ORDER_ID = "" } = process.env;
const has = (flaw: Flaw) => process.argv[2] === flaw;
const PATH = `/partners/transactions/${KIND === "topup" ? "topup-fiat" : "withdraw-fiat"}`;
type Body = Record<string, unknown>;

/** Until there is an answer. */
async function call(method: string, path: string, makeBody: () => Body | null): Promise<Body> {
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const body = makeBody();
    const response = await fetch(`${SETTLEMENT_URL}${path}`, {
      method,
      headers: { apiKey: API_KEY, "Content-Type": "application/json" },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (response?.ok) return (await response.json()) as Body;
    if (response !== null && response.status < 500) break;
    await sleep(100);
  }
  throw new Error("there is no answer");
}

async function move(): Promise<boolean> {
  const reference = has("external_id by chance") ? randomUUID() : ORDER_ID;
  const { id } = await call("POST", PATH, () => {
    const external_id = has("new external_id each time") ? randomUUID() : reference;
    return { ...JSON.parse(ORDER), external_id };
  });
  if (has("takes the answer for the end")) return true;
  for (;;) {
    const { status } = await call("GET", `${PATH}/${String(id)}`, () => null);
    if (status === "completed") return true;
    if (status === "failed") return has("takes failed for success");
    await sleep(100);
  }
}

if (import.meta.main) process.exitCode = (await move().catch(() => false)) ? 0 : 1;

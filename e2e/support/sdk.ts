import { type Answer, showWatchers } from "#sandbox/client/exchange.ts";
import { BRAND, type Credentials } from "#sandbox/client/signing.ts";
import { SettlementClient } from "#sdk/typescript/src/index.ts";
import { BASE_URL, sandbox } from "./running-sandbox.ts";

/** The TypeScript SDK, as partners' programs use it. Its answers are validated against the documents like all others. */
export function sdkOf({ api_key, api_secret }: Credentials): SettlementClient {
  return new SettlementClient({ baseUrl: BASE_URL, apiKey: api_key, apiSecret: api_secret, brand: BRAND, fetch: watchedFetch });
}

const watchedFetch: typeof fetch = async (url, init = {}) => {
  const response = await fetch(url, init);
  const { pathname, search } = new URL(String(url));
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  const headers: Answer["headers"] = Object.fromEntries(response.headers);
  const body = typeof init.body === "string" ? init.body : undefined;
  const outgoing = { method: init.method ?? "GET", target: `${pathname}${search}`, headers: [], body };
  showWatchers(outgoing, { status: response.status, headers, bytes, text: bytes.toString("utf8") });
  return response;
};

export const sdk = sdkOf(sandbox.partner);

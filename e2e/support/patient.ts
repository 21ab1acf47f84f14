import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "#sandbox/client/exchange.ts";
import * as once from "#sandbox/client/partner.ts";
import type { Credentials } from "#sandbox/client/signing.ts";

const TRIES = 5;

/** Sends again, newly signed, where a busy machine had no time for the request, as the contract asks of a client (503 with Retry-After). */
async function patiently(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    const isBusy = answer.status === 503 && answer.text.includes('"temporarily_unavailable"');
    if (!isBusy || tries === TRIES) return answer;
    await sleep(1_000 * Number(answer.headers["retry-after"] ?? 1));
  }
}

/** A partner's client for stories: it waits out a busy machine. */
export function partnerClient(baseUrl: string, credentials: Credentials): once.PartnerClient {
  const { get, post, call } = once.partnerClient(baseUrl, credentials);
  return {
    get: (...request) => patiently(() => get(...request)),
    post: (...request) => patiently(() => post(...request)),
    call: (...request) => patiently(() => call(...request)),
  };
}

/** An operator's client for stories: it waits out a busy machine. */
export function operatorClient(baseUrl: string, credentials: Pick<Credentials, "api_key">): once.OperatorClient {
  const { call } = once.operatorClient(baseUrl, credentials);
  return { call: (...request) => patiently(() => call(...request)) };
}

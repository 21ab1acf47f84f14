import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Header } from "#sandbox/client/exchange.ts";
import * as client from "#sandbox/client/partner.ts";
import type { Credentials } from "#sandbox/client/signing.ts";

const TRIES = 5;

/**
 * Sends again, newly signed, where a busy machine had no time for the request, as the contract asks of a client (503 with Retry-After). The
 * first try may have been done in spite of its 503, and may still be under way.
 */
async function patiently(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    const isBusy = answer.status === 503 && answer.text.includes('"temporarily_unavailable"');
    const isUnderWay = tries > 1 && answer.text.includes('"idempotency_in_progress"');
    if (!(isBusy || isUnderWay) || tries === TRIES) return answer;
    await sleep(1_000 * Number(answer.headers["retry-after"] ?? 1));
  }
}

/** With a key, a POST that is sent again is done once. */
function once(method: string, headers: readonly Header[]): readonly Header[] {
  const isKeyed = headers.some(([name]) => name.toLowerCase() === "idempotency-key");
  return method === "POST" && !isKeyed ? [...headers, ["Idempotency-Key", randomUUID()]] : headers;
}

type Call = client.OperatorClient["call"];

function patientCall(call: Call): Call {
  return (method, target, body, headers = []) => {
    const sent = once(method, headers);
    return patiently(() => call(method, target, body, sent));
  };
}

/**
 * A partner's client for stories: it waits out a busy machine. `post` sends no Idempotency-Key of its own: a second quote moves no
 * money, and a reference confirms one settlement.
 */
export function partnerClient(baseUrl: string, credentials: Credentials): client.PartnerClient {
  const { get, post, call } = client.partnerClient(baseUrl, credentials);
  return {
    get: (...request) => patiently(() => get(...request)),
    post: (...request) => patiently(() => post(...request)),
    call: patientCall(call),
  };
}

/** An operator's client for stories: it waits out a busy machine. */
export function operatorClient(baseUrl: string, credentials: Pick<Credentials, "api_key">): client.OperatorClient {
  const { call } = client.operatorClient(baseUrl, credentials);
  return { call: patientCall(call) };
}

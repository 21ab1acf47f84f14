import { randomUUID } from "node:crypto";
import { Refused, type SettlementClient } from "#sdk/typescript/src/index.ts";
import { sleep } from "#sdk/typescript/src/transport.ts";
import { clientOf } from "./client.ts";
import { judgeDelivery, type Verdict } from "./delivery.ts";
import { type Finding, fault, ok } from "./examine.ts";
import type { Profile } from "./profile.ts";
import { openReceiver } from "./receiver.ts";
import { walletOfNobody } from "./wallets.ts";

const PATIENCE_MS = 60_000;

/** Whether the service's callbacks arrive and verify: one small settlement of the sandbox, and what became of its callback. */
export async function examineCallback(profile: Profile, url: string | undefined, signal: AbortSignal): Promise<Finding> {
  const client = clientOf(profile);
  let arrived: Verdict | null = null;
  const receiver = await openReceiver({}, async (arrival) => {
    arrived = await judgeDelivery(arrival, profile);
    return { status: arrived.verified ? 200 : 400 };
  });
  try {
    const target = url ?? receiver.url;
    const txId = await settleLeast(client, target, signal);
    if (typeof txId !== "string") return txId;
    const attempt = await firstAttempt(client, txId, signal);
    if (attempt === null)
      return fault(
        "callbacks",
        `The callback of ${txId} was not attempted within ${PATIENCE_MS / 1_000} s: the worker is not running, or is behind.`,
      );
    return judge(target, attempt, arrived);
  } finally {
    await receiver.close();
  }
}

type Attempt = { response_status: number | null; error: string | null };

function judge(url: string, { response_status: status, error }: Attempt, arrived: Verdict | null): Finding {
  const sentence = (text: string) => fault("callbacks", text);
  if (arrived !== null && !arrived.verified) {
    return sentence(
      `The service reaches ${url}, but its signature is not valid here: ${arrived.reason}. The callback secret of the profile is not the partner's, or this machine's clock is wrong.`,
    );
  }
  if (status === null) return sentence(`The service does not reach ${url}: ${error ?? "no reason given"}.`);
  if (status >= 300 && status < 400)
    return sentence(`${url} answers the service with a redirect (${status}), which is not followed. Use the URL that it leads to.`);
  if (status < 200 || status >= 400) return sentence(`${url} answers the service ${status}. Only a 2xx acknowledges a callback.`);
  return ok("callbacks", `The service reaches ${url}${arrived === null ? ` and was answered ${status}` : ", and its signature is valid"}.`);
}

/** Quotes and confirms the least amount of a pair that is up. A refusal of the URL is what was looked for. */
async function settleLeast(client: SettlementClient, url: string, signal: AbortSignal): Promise<string | Finding> {
  const pair = (await client.prices.pairs({ signal })).find(({ quoting }) => quoting === "up");
  if (pair === undefined) return fault("callbacks", "No pair is quoted, so no callback can be tested.");
  const { source_currency, destination_currency, chain, minimum_source_amount: source_amount } = pair;
  const intent = `doctor-${randomUUID()}`;
  try {
    const quoted = await client.settlements.create(
      {
        // The least of all may not cover the fee.
        source_amount: Math.min(source_amount * 10, pair.maximum_source_amount),
        source_currency,
        destination_currency,
        chain,
        external_merchant_id: "settle-doctor",
        wallet_address: walletOfNobody(),
        callback_url: url,
      },
      { intent, signal },
    );
    return (await client.settlements.confirm(quoted.tx_id, { external_tx_id: intent }, { signal })).tx_id;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const why = error.faults.map(({ message }) => message).join(" ") || error.detail;
    return fault("callbacks", `${url} is refused as a callback URL, or nothing can be settled (${error.code}): ${why}`);
  }
}

async function firstAttempt(client: SettlementClient, txId: string, signal: AbortSignal): Promise<Attempt | null> {
  const givenUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const attempts = (await client.settlements.callbacks(txId, { signal })).flatMap((callback) => callback.attempts);
    const ended = attempts.find(({ response_status, error }) => response_status !== null || error !== null);
    if (ended !== undefined) return ended;
    if (Date.now() > givenUpAt) return null;
    await sleep(250, signal);
  }
}

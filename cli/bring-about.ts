import { type Pair, Refused, type Settlement, type SettlementClient } from "#sdk/typescript/src/index.ts";
import { sleep } from "#sdk/typescript/src/transport.ts";
import { EXIT, Trouble } from "./exit.ts";
import type { Outcome } from "./outcomes.ts";
import { moveClock } from "./sandbox-clock.ts";

/** What something is brought about with. */
export type World = {
  client: SettlementClient;
  operatorKey: string;
  baseUrl: string;
  note(text: string): void;
  timeoutMs: number;
  signal: AbortSignal;
};
type Order = { pair: Pair; wallet: string; url: string; reference: string };

/** The settlement once the requested outcome has happened or become impossible; or the requested refusal. */
export async function bringAbout(world: World, outcome: Outcome, order: Order): Promise<Settlement | Refused> {
  try {
    return await act(world, outcome, order);
  } catch (error) {
    if (error instanceof Refused && error.code === outcome.refusal) return error;
    throw error;
  }
}

async function act(world: World, outcome: Outcome, { pair, wallet, url, reference }: Order): Promise<Settlement> {
  const { client, note, signal } = world;
  const body = {
    source_amount: outcome.amount(pair),
    source_currency: pair.source_currency,
    destination_currency: pair.destination_currency,
    chain: pair.chain,
    external_merchant_id: "settle-trigger",
    wallet_address: wallet,
    callback_url: url,
  };
  const quoted = await client.settlements.create(body, { intent: reference, signal });
  const { tx_id } = quoted;
  note(`${tx_id}: quoted ${quoted.destination_amount} ${quoted.destination_currency} to ${wallet}`);
  if (outcome.next === "cancel") return await client.settlements.cancel(tx_id, { signal });
  if (outcome.next === "lapse") {
    const seconds = pair.quote_lifetime_seconds + 1;
    await moveClock(world.baseUrl, world.operatorKey, seconds, signal);
    note(`Moved the sandbox's clock ahead by ${seconds} s.`);
  }
  if (outcome.next === "wait") return await until(world, tx_id, outcome.isThere);
  if (quoted.approval_state === "pending") {
    note("It waits for approval …");
    await until(world, tx_id, ({ approval_state }) => approval_state !== "pending");
  }
  const confirmed = await client.settlements.confirm(tx_id, { external_tx_id: reference }, { signal });
  note(`${tx_id}: ${confirmed.status} …`);
  return await until(world, tx_id, outcome.isThere);
}

/** Its state once that is true, or once it has ended otherwise. */
async function until({ client, timeoutMs, signal }: World, txId: string, isSo: (settlement: Settlement) => boolean): Promise<Settlement> {
  const givenUpAt = Date.now() + timeoutMs;
  for (let pause = 200; ; pause = Math.min(pause * 1.3, 2_000)) {
    const found = await client.settlements.get(txId, { signal });
    if (isSo(found) || ["executed", "failed", "cancelled"].includes(found.status)) return found;
    if (Date.now() > givenUpAt) throw new Trouble(`${txId} is still ${found.status} after ${timeoutMs / 1_000} s.`, EXIT.refused);
    await sleep(pause, signal);
  }
}

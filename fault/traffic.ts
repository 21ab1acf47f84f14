import { setTimeout as sleep } from "node:timers/promises";
import { inUnits, literalOf } from "#e2e/support/money.ts";
import type { Answer } from "#sandbox/client/exchange.ts";
import { operatorClient, partnerClient } from "#sandbox/client/partner.ts";
import type { Owed } from "./checker.ts";
import type { Random } from "./random.ts";
import { timeUntil, type World } from "./world.ts";

/** A partner's program that never gives up: it repeats unanswered requests, and those with 503, as documented. */

export const SETTLEMENTS = "/api/v1/settlements";
const PATIENCE_MS = 90_000;
const TOKEN_DECIMALS = 6;
/** In KES: strictly above it an admin has to approve. */
export const MAXIMUM_MINOR = 100_000_000;

export type Order = {
  random: Random;
  /** Omitted: the world's own receiver. */
  callbackUrl?: string;
  /** Names it: the partner's own reference. */
  reference: string;
  aboveMaximum?: boolean;
  /** How long the program repeats one request. */
  patienceMs?: number | undefined;
};

type Send = (baseUrl: string) => Promise<Answer>;

/** Sends it to one web process after the other until it gets one of the wanted answers, and records every answer. */
export async function insist(world: World, what: string, wanted: readonly number[], send: Send, patienceMs = PATIENCE_MS): Promise<Answer> {
  const first = Math.floor(Math.random() * world.webs.length);
  for (let turn = 0, until = performance.now() + patienceMs; ; turn += 1) {
    const answer = await noted(world, what, () => send(world.webs[(first + turn) % world.webs.length] ?? ""));
    if (answer !== null && wanted.includes(answer.status)) return answer;
    if (answer !== null && answer.status !== 503) throw new Error(`${what} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    if (performance.now() > until) {
      const last = answer === null ? "no answer" : `${answer.status}: ${answer.text.slice(0, 300)}`;
      throw new Error(`${what} was not answered well within ${patienceMs / 1_000} s in ${turn + 1} tries, at last ${last}`);
    }
    await sleep(50 + 50 * Math.min(turn, 10));
  }
}

/** One exchange, recorded in the history; null: there was no answer. */
export async function noted(world: World, what: string, send: () => Promise<Answer>): Promise<Answer | null> {
  const began = performance.now();
  try {
    const answer = await send();
    const tookMs = performance.now() - began;
    const hasRetryAfter = answer.headers["retry-after"] !== undefined;
    world.history.answers.push({
      what,
      status: answer.status,
      hasRetryAfter,
      tookMs,
      detail: answer.status >= 500 ? answer.text.slice(0, 200) : "",
    });
    return answer;
  } catch (error) {
    world.history.answers.push({ what, status: null, hasRetryAfter: false, detail: String(error) });
    return null;
  }
}

/** A body that create accepts, to a wallet that nobody has used. */
export function createBody(world: World, random: Random, more: object = {}): Record<string, unknown> {
  const { chain, network } = world.stage;
  const there =
    network === null
      ? { chain: chain.chain, wallet_address: random.wallet() }
      : { chain: network.chain, wallet_address: network.walletOf(random.hex(20)) };
  const place = { ...there, external_merchant_id: `merchant-${random.below(9)}` };
  return { source_amount: 20_000 + random.below(1_000_000), source_currency: "KES", destination_currency: "USDT", ...place, ...more };
}

/** Creates a settlement; answers its id. */
export async function create(world: World, body: object, patienceMs?: number): Promise<string> {
  const { credentials } = world.stage;
  const { text } = await insist(world, "create", [201], (url) => partnerClient(url, credentials).post(SETTLEMENTS, body), patienceMs);
  return String(JSON.parse(text).tx_id);
}

/** From the quote to the confirmation, whatever breaks meanwhile; from then on the service owes it. */
export async function createPayment(
  world: World,
  { random, callbackUrl = world.receiver.url, reference, aboveMaximum = false, patienceMs }: Order,
): Promise<Owed> {
  const id = await create(world, createBody(world, random, aboveMaximum ? { source_amount: MAXIMUM_MINOR + 1 } : {}), patienceMs);
  if (aboveMaximum) await approve(world, id);
  return await confirm(world, id, { reference, callbackUrl, patienceMs });
}

/** How long a new payment takes until it is executed. */
export async function timePayment(world: World, order: Order, limitMs: number): Promise<number> {
  const { id } = await createPayment(world, order);
  const isExecuted = async () => (await world.database.sql`select 1 from settlements where id = ${id} and status = 'executed'`).length > 0;
  return (await timeUntil(isExecuted, limitMs)) ?? Number.POSITIVE_INFINITY;
}

export async function confirm(
  world: World,
  id: string,
  { reference, callbackUrl = world.receiver.url, patienceMs }: Pick<Order, "reference" | "callbackUrl" | "patienceMs">,
): Promise<Owed> {
  const body = { external_tx_id: reference, callback_url: callbackUrl };
  const { credentials } = world.stage;
  const path = `${SETTLEMENTS}/${id}/confirm`;
  const { text } = await insist(world, "confirm", [200], (url) => partnerClient(url, credentials).post(path, body), patienceMs);
  const amountBase = inUnits(literalOf(text, "destination_amount"), TOKEN_DECIMALS);
  const owed = { id, wallet: String(JSON.parse(text).wallet_address), amountBase, callbackUrl };
  world.history.owed.push(owed);
  return owed;
}

/** An approval whose answer was lost has taken effect: the repeat learns that it is decided. */
async function approve(world: World, id: string): Promise<void> {
  const { operator } = world.stage;
  await insist(world, "approve", [200, 409], (url) => operatorClient(url, operator).call("POST", `/admins/settlements/${id}/approve`, {}));
}

/** This many pieces of work, with limited concurrency; a failure ends it. */
export async function inStreams(count: number, streams: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const scope = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(streams, count) }, scope));
}

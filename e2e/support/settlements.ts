import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import type { z } from "zod";
import type { callbackSchema } from "#contract/settlement/v1/callbacks.ts";
import { approveSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import {
  confirmOneSettlementOperation,
  createSettlementOperation,
  getSettlementOperation,
  listCallbacksOperation,
  listPairsOperation,
} from "#contract/settlement/v1/operations.ts";
import type { pairSchema } from "#contract/settlement/v1/pricing.ts";
import type { SettlementWire } from "#contract/settlement/v1/settlement.ts";
import type { PartnerClient } from "#sandbox/client/partner.ts";
import { read } from "./answers.ts";
import { operator, partner } from "./client.ts";
import { chain } from "./running-sandbox.ts";

export type Pair = z.infer<typeof pairSchema>;
export type Callback = z.infer<typeof callbackSchema>;

export const SETTLEMENTS = "/api/v1/settlements";
/** A URL of the right form and an allowed host where nobody listens. */
export const QUIET_URL = "http://127.0.0.1:9/callbacks";

/** A wallet that nobody has used: its balance starts at nothing. */
export const freshWallet = (): string => privateKeyToAddress(generatePrivateKey());
export const freshReference = (): string => `order-${randomUUID()}`;

/** A body that create accepts: 1,000.00 KES to a fresh wallet. */
export function createBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    source_amount: 100_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "merchant-7",
    chain: chain.chain,
    wallet_address: freshWallet(),
    ...changes,
  };
}

/** As every later answer shows it: only the answer of its creation says what the network takes. */
export async function quote(changes: Record<string, unknown> = {}, by: PartnerClient = partner): Promise<SettlementWire> {
  const body = createBody(changes);
  const { network_cost: _, ...settlement } = read(createSettlementOperation, await by.post(SETTLEMENTS, body));
  return settlement;
}

export async function confirm(txId: string, changes: Record<string, unknown> = {}, by: PartnerClient = partner): Promise<SettlementWire> {
  const body = { external_tx_id: freshReference(), callback_url: QUIET_URL, ...changes };
  return read(confirmOneSettlementOperation, await by.post(`${SETTLEMENTS}/${txId}/confirm`, body));
}

export async function find(txId: string, by: PartnerClient = partner): Promise<SettlementWire> {
  return read(getSettlementOperation, await by.get(`${SETTLEMENTS}/${txId}`));
}

export async function callbacksOf(txId: string, by: PartnerClient = partner): Promise<Callback[]> {
  return read(listCallbacksOperation, await by.get(`${SETTLEMENTS}/${txId}/callbacks`)).data;
}

/** The only callback of a settlement, as soon as it is there. */
export async function onlyCallback(txId: string): Promise<Callback> {
  const callback = await until(
    async () => (await callbacksOf(txId))[0] ?? null,
    (found) => found !== null,
  );
  if (callback === null) throw new Error(`${txId} has no callback`);
  return callback;
}

/** The settlement, once it has ended. */
export async function ended(txId: string, by: PartnerClient = partner): Promise<SettlementWire> {
  return until(
    () => find(txId, by),
    ({ status }) => status === "executed" || status === "failed",
    45_000,
  );
}

/** The pair's terms as the partner sees them. */
export async function pairOf(source: string, destination: string): Promise<Pair> {
  const { data } = read(listPairsOperation, await partner.get("/api/v1/pairs"));
  const pair = data.find((one) => one.source_currency === source && one.destination_currency === destination && one.chain === chain.chain);
  if (pair === undefined) throw new Error(`${source} to ${destination} is not traded on ${chain.chain}`);
  return pair;
}

/** A settlement above the maximum of its pair: it awaits approval. */
export async function pendingQuote(changes: Record<string, unknown> = {}, source = "KES", destination = "USDT"): Promise<SettlementWire> {
  const { maximum_source_amount } = await pairOf(source, destination);
  const settlement = await quote({
    source_currency: source,
    destination_currency: destination,
    source_amount: maximum_source_amount + 1,
    ...changes,
  });
  expect(settlement.approval_state).toBe("pending");
  return settlement;
}

export async function approve(txId: string, body: Record<string, unknown> = {}): Promise<SettlementWire> {
  return read(approveSettlementOperation, await operator.call("POST", `/admins/settlements/${txId}/approve`, body));
}

/** A settlement whose approval was just called back to that URL: the quickest way to a callback, as no chain takes part. */
export async function approvedTowards(callback_url: string): Promise<string> {
  const { tx_id } = await pendingQuote({ callback_url });
  await approve(tx_id);
  return tx_id;
}

/** The settlement's only callback, once that many of its attempts have ended. */
export async function tried(txId: string, times: number, patienceMs = 20_000): Promise<Callback> {
  return until(
    () => onlyCallback(txId),
    ({ attempts }) => attempts.filter(({ duration_ms }) => duration_ms !== null).length >= times,
    patienceMs,
  );
}

/** Moves the sandbox's mid rate; null takes it away. */
export async function setRate(source: string, destination: string, rate: number | null): Promise<void> {
  const answer = await operator.call("PUT", "/sandbox/rates", { source_currency: source, destination_currency: destination, rate });
  expect(answer.status, answer.text).toBe(200);
}

/** Asks again and again until the answer satisfies; fails with the last one. */
export async function until<Value>(ask: () => Promise<Value>, satisfies: (value: Value) => boolean, patienceMs = 15_000): Promise<Value> {
  const givenUpAt = Date.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (satisfies(value)) return value;
    if (Date.now() > givenUpAt) throw new Error(`not within ${patienceMs} ms; the last answer was ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

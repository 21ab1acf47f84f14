import { randomUUID } from "node:crypto";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import type { SurfaceContext } from "#server/rest/surface-context.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { TEST_CHAIN } from "./factories.ts";
import { readAnswer, signedRequest } from "./surface.ts";

/** Set-up for tests of batches: items as a partner sends them, and signed calls. */

export const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** 1,000 KES to a wallet, under a new reference. */
export function batchItem(values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    external_tx_id: randomUUID(),
    source_amount: 100_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "merchant-1",
    chain: TEST_CHAIN.chain,
    wallet_address: WALLET,
    ...values,
  };
}

/** A batch of so many items, or of these. */
export function batchOf(items: number | Record<string, unknown>[], values: Record<string, unknown> = {}): Record<string, unknown> {
  const listed = typeof items === "number" ? Array.from({ length: items }, () => batchItem()) : items;
  return { external_batch_id: randomUUID(), items: listed, ...values };
}

export type Answer = { status: number; headers: Record<string, string>; body: Record<string, unknown> };

/** Calls the settlement surface as the key. A text is sent as it is. */
export function signedCalls(surfaceContext: SurfaceContext, key: IssuedApiKey) {
  const { surface, bindings } = REGISTRY.settlement;
  return async (method: string, target: string, body?: object | string): Promise<Answer> => {
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    return await readAnswer(await handle(surface, surfaceContext, bindings, signedRequest(key, { method, target, ...sent })));
  };
}

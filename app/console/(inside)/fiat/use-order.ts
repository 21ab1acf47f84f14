"use client";

import { useLiveChanges } from "../../_components/frame/live.tsx";

type Followed = { status: string; callbacks: readonly { id: string; state: string }[] };

/** Every change of an order and its callbacks. */
export function useOrderChanges(id: string, callbacks: readonly { id: string }[], refresh: () => void): void {
  const ids = new Set([id, ...callbacks.map((callback) => callback.id)]);
  useLiveChanges(({ object_id }) => ids.has(object_id), refresh);
}

/** How often to look at what no entry of the audit log tells: blocks on top, attempts, the provider's words. */
export function lookEvery({ status, callbacks }: Followed): number | false {
  const moves = status === "pending" || status === "processing" || callbacks.some(({ state }) => state === "pending");
  return moves ? 1_500 : false;
}

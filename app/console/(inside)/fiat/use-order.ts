import type { QueryKey } from "@tanstack/react-query";
import { useLiveChanges, useRefresh } from "../../_trpc/client.tsx";

type Trans = readonly { id: string; state: string }[];

/** Every change of an order or its callbacks triggers a refetch. */
export function useOrderChanges(id: string, callbacks: Trans | undefined, queryKey: QueryKey): void {
  const ids = new Set([id, ...(callbacks ?? []).map((callback) => callback.id)]);
  useLiveChanges(({ object_id }) => ids.has(object_id), useRefresh(queryKey));
}

/** How often to poll what the audit log does not announce: confirmations, attempts, the provider's reports. */
export function lookEvery(status: string | undefined, callbacks: Trans = []): number | false {
  const moves = status === "pending" || status === "processing" || callbacks.some(({ state }) => state === "pending");
  return moves ? 1_500 : false;
}

import { useQuery } from "@tanstack/react-query";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";

/** The age at which the price of an open decision is read again. */
export const FRESH_MS = 15_000;

/** Whether somebody has decided the settlement, or it has ended in another way. Refetched with every live change. */
export function useOpenDecision(txId: string): boolean {
  const trpc = useTRPC();
  const { data, refetch } = useQuery(trpc.settlements.byId.queryOptions({ tx_id: txId }));
  useLiveChanges(
    ({ object_id }) => object_id === txId,
    () => void refetch(),
  );
  return data !== undefined && !(data.settlement.status === "quoted" && data.settlement.approval_state === "pending");
}

import { useQuery } from "@tanstack/react-query";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";

/**
 * The settlement of an open dialog, refetched with every live change. `partner`: undefined while loading. `isDecided`: somebody has decided
 * it, or it has ended in another way.
 */
export function useOpenDecision(txId: string): { partner: string | undefined; isDecided: boolean } {
  const trpc = useTRPC();
  const { data, refetch } = useQuery(trpc.settlements.byId.queryOptions({ tx_id: txId }));
  useLiveChanges(
    ({ object_id }) => object_id === txId,
    () => void refetch(),
  );
  const isDecided = data !== undefined && !(data.settlement.status === "quoted" && data.settlement.approval_state === "pending");
  return { partner: data?.partner.name, isDecided };
}

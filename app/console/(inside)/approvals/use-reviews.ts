import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";

/** A selection that only passes by claims nothing. */
const LOOKED_MS = 700;
const RENEW_MS = 45_000;

/** Who else is reviewing a settlement right now, by settlement. */
export function useOthersReviews(): ReadonlyMap<string, string> {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.approvals.reviews.queryOptions(undefined, { refetchInterval: 60_000 }));
  useLiveChanges(({ action }) => action === "review.changed", useRefresh(trpc.approvals.reviews.queryKey()));
  return useMemo(() => new Map(data?.data.filter(({ is_mine }) => !is_mine).map(({ tx_id, by }) => [tx_id, by])), [data]);
}

/** Tells other users which settlement this user is reviewing. Best effort: a failure has no consequence. */
export function useReviewing(txId: string | undefined, mayDecide: boolean): void {
  const trpc = useTRPC();
  const { mutate: claim } = useMutation(trpc.approvals.claim.mutationOptions());
  const { mutate: leave } = useMutation(trpc.approvals.leave.mutationOptions());
  useEffect(() => {
    if (txId === undefined || !mayDecide) return;
    const isSeen = () => document.visibilityState === "visible" && document.getElementById("review-heading")?.offsetParent !== null;
    const claimIt = () => isSeen() && claim({ tx_id: txId });
    const first = setTimeout(claimIt, LOOKED_MS);
    const again = setInterval(claimIt, RENEW_MS);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [txId, mayDecide, claim]);
  useEffect(() => {
    if (!mayDecide) return;
    // A page that unloads cannot wait for an answer.
    const goodbye = () => navigator.sendBeacon("/api/trpc/approvals.leave", new Blob(["{}"], { type: "application/json" }));
    window.addEventListener("pagehide", goodbye);
    return () => {
      window.removeEventListener("pagehide", goodbye);
      leave();
    };
  }, [mayDecide, leave]);
}

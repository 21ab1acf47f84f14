import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";

/** Who merely walks past claims nothing. */
const LOOKED_MS = 700;
const RENEW_MS = 45_000;

/** By settlement, who else looks at it just now. */
export function useOthersReviews(): ReadonlyMap<string, string> {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.approvals.reviews.queryOptions(undefined, { refetchInterval: 60_000 }));
  useLiveChanges(({ action }) => action === "review.changed", useRefresh(trpc.approvals.reviews.queryKey()));
  return useMemo(() => new Map(data?.data.filter(({ is_mine }) => !is_mine).map(({ tx_id, by }) => [tx_id, by])), [data]);
}

/** Tells the others what one looks at, for as long as one does. It is a courtesy: when it fails nothing is lost. */
export function useReviewing(txId: string | undefined, mayDecide: boolean): void {
  const trpc = useTRPC();
  const { mutate: claim } = useMutation(trpc.approvals.claim.mutationOptions());
  const { mutate: leave } = useMutation(trpc.approvals.leave.mutationOptions());
  useEffect(() => {
    if (txId === undefined || !mayDecide) return;
    const isSeen = () => document.visibilityState === "visible" && document.getElementById("review-heading")?.offsetParent !== null;
    const tell = () => isSeen() && claim({ tx_id: txId });
    const first = setTimeout(tell, LOOKED_MS);
    const again = setInterval(tell, RENEW_MS);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [txId, mayDecide, claim]);
  useEffect(() => {
    if (!mayDecide) return;
    // A page that goes away has no time for an answer.
    const goodbye = () => navigator.sendBeacon("/api/trpc/approvals.leave", new Blob(["{}"], { type: "application/json" }));
    window.addEventListener("pagehide", goodbye);
    return () => {
      window.removeEventListener("pagehide", goodbye);
      leave();
    };
  }, [mayDecide, leave]);
}

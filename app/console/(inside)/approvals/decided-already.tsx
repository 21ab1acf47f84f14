import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Time } from "../../_components/controls/values.tsx";
import { Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { actorOf, decisionOf } from "../settlements/[tx_id]/story.ts";

/** Somebody else was faster: who, when, and what, in place of an error. */
export function DecidedAlready({ txId }: { txId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.byId.queryOptions({ tx_id: txId }, { staleTime: 0 }));
  const said = useRef<HTMLParagraphElement>(null);
  const isRead = data !== undefined;
  // What was pressed is gone from under the finger: this stands in its place.
  useEffect(() => {
    if (isRead) said.current?.focus();
  }, [isRead]);
  if (data === undefined) return <Skeleton rows={1} />;
  const decision = decisionOf(data);
  if (decision === null) {
    return (
      <p ref={said} tabIndex={-1} className="note" role="alert">
        It no longer awaits a decision: the settlement is {data.settlement.status}.
      </p>
    );
  }
  return (
    <p ref={said} tabIndex={-1} className="note" role="alert">
      Already {decision.action === "settlement.approved" ? "approved" : "rejected"} by {actorOf(decision)}, <Time at={decision.at} />.
    </p>
  );
}

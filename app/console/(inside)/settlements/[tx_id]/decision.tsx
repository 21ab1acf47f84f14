import { useQuery } from "@tanstack/react-query";
import { ErrorState, Skeleton } from "../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { refusalOf } from "../../../_trpc/refusal.ts";
import { DecidedAlready } from "../../approvals/decided-already.tsx";
import type { What } from "../../approvals/foot-parts.tsx";
import { DecisionPanel } from "../../approvals/panel.tsx";
import { useRiskHints } from "../../approvals/use-risk-hints.ts";
import type { Story } from "./story.ts";

type Props = { story: Story; deciding: What; onDecide: (what: What | null) => void };

/** The queue's panel on the settlement's own page, as soon as somebody wants to decide. */
export function Decision({ story, deciding, onDecide }: Props) {
  const { tx_id } = story.settlement;
  const preview = useQuery(useTRPC().approvals.preview.queryOptions({ tx_id }, { meta: { still: true } }));
  const hints = useRiskHints([tx_id]).get(tx_id);
  if (preview.isPending) return <Skeleton rows={5} />;
  if (!preview.data && refusalOf(preview.error)?.code === "invalid_state") {
    return <DecidedAlready txId={tx_id} onClose={() => onDecide(null)} />;
  }
  if (!preview.data) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} compact />;
  return (
    <DecisionPanel
      row={{ ...story, preview: preview.data }}
      hints={hints}
      mayDecide
      deciding={deciding}
      onDecide={onDecide}
      onDecided={() => {
        onDecide(null);
        document.getElementById("main")?.focus();
      }}
    />
  );
}

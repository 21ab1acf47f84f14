import { Timeline } from "../../../_components/controls/timeline.tsx";
import { Id } from "../../../_components/controls/values.tsx";
import type { Entry, Story } from "./story.ts";
import { timelineOf } from "./timeline-nodes.ts";

/** Who did what, when, how long after the step before; out of the audit log, the chain and the callbacks. */
export function HistoryPart({ story }: { story: Story }) {
  const nodes = timelineOf(story).map(({ entry, ...node }) => ({
    ...node,
    children: entry && <Particulars entry={entry} />,
  }));
  return (
    <>
      <h2>Timeline</h2>
      <Timeline label="Timeline" nodes={nodes} />
    </>
  );
}

const VERSIONS: Record<string, string> = { "settlement.created": "Price v1", "settlement.approved": "Price v2" };

function Particulars({ entry }: { entry: Entry }) {
  const { action, change, reason, request_id: requestId } = entry;
  const rate = Array.isArray(change.exchange_rate) ? change.exchange_rate : null;
  const reference = typeof change.external_tx_id === "string" ? change.external_tx_id : null;
  const version = VERSIONS[action];
  return (
    <>
      {reason && <p>“{reason}”</p>}
      {version && (
        <p className="muted">
          {version}
          {rate && `: rate ${String(rate[0])} → ${String(rate[1])}`}
        </p>
      )}
      {reference && <p>As {reference}</p>}
      {requestId && (
        <p>
          <Id value={requestId} what="request id" href={`/console/developers/log/${requestId}`} />
        </p>
      )}
    </>
  );
}

"use client";

import { Id } from "../../../_components/id.tsx";
import { Timeline } from "../../../_components/timeline.tsx";
import { type Entry, type Story, timelineOf } from "./story.ts";

/** Who did what, when, how long after the step before; out of the audit log. */
export function HistoryPart({ story, isOperator }: { story: Story; isOperator: boolean }) {
  const nodes = timelineOf(story).map(({ entry, ...node }) => ({
    ...node,
    children: entry && <Particulars entry={entry} isOperator={isOperator} />,
  }));
  return (
    <>
      <h2>History</h2>
      <Timeline label="History" nodes={nodes} />
    </>
  );
}

function Particulars({ entry, isOperator }: { entry: Entry; isOperator: boolean }) {
  const { change, reason, request_id: requestId } = entry;
  const rate = Array.isArray(change.exchange_rate) ? change.exchange_rate : null;
  const reference = typeof change.external_tx_id === "string" ? change.external_tx_id : null;
  return (
    <>
      {reason && <p>“{reason}”</p>}
      {rate && (
        <p>
          Rate {String(rate[0])} → {String(rate[1])}
        </p>
      )}
      {reference && <p>As {reference}</p>}
      {isOperator && requestId && (
        <p>
          <Id value={requestId} what="request id" />
        </p>
      )}
    </>
  );
}

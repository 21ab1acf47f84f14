import { Timeline } from "../../../_components/controls/timeline.tsx";
import { Id } from "../../../_components/controls/values.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { Entry, Story } from "./story.ts";
import { TIMELINE_WORDS, timelineOf } from "./timeline-nodes.ts";
import { HISTORY_PART } from "./words.ts";

/** The settlement's history from the audit log, the chain and the callbacks, with the time between steps. */
export function HistoryPart({ story }: { story: Story }) {
  const t = useTranslations(HISTORY_PART);
  const nodes = timelineOf(story, useTranslations(TIMELINE_WORDS)).map(({ entry, ...node }) => ({
    ...node,
    children: entry && <Particulars entry={entry} />,
  }));
  return (
    <>
      <h2>{t.timeline}</h2>
      <Timeline label={t.timeline} nodes={nodes} />
    </>
  );
}

function Particulars({ entry }: { entry: Entry }) {
  const t = useTranslations(HISTORY_PART);
  const { action, change, reason, request_id: requestId } = entry;
  const rate = Array.isArray(change.exchange_rate) ? change.exchange_rate : null;
  const reference = typeof change.external_tx_id === "string" ? change.external_tx_id : null;
  const version = t.versions[action];
  return (
    <>
      {reason && <p>“{reason}”</p>}
      {version && (
        <p className="muted">
          {version}
          {rate && t.rateChange(String(rate[0]), String(rate[1]))}
        </p>
      )}
      {reference && <p>{t.quotedAs(reference)}</p>}
      {requestId && (
        <p>
          <Id value={requestId} what={t.requestIdNoun} href={`/console/developers/log/${requestId}`} />
        </p>
      )}
    </>
  );
}

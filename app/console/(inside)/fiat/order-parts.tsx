"use client";

import { Check, CircleDashed, SendHorizontal } from "lucide-react";
import { CodeBlock } from "../../_components/code-block.tsx";
import { Id } from "../../_components/id.tsx";
import { Badge } from "../../_components/status-badge.tsx";
import { Time } from "../../_components/time.tsx";
import type { WithdrawalStory } from "./story.ts";

type Callback = WithdrawalStory["callback_list"][number];

const STATES = {
  pending: { word: "Queued", icon: CircleDashed, tone: "pending" },
  delivered: { word: "Delivered", icon: Check, tone: "executed" },
  undelivered: { word: "Undelivered", icon: SendHorizontal, tone: "undelivered" },
} as const;

/** What was told to the partner about the order, and how the attempts went. */
export function OrderCallbacks({ callbacks, url }: { callbacks: readonly Callback[]; url: string | null }) {
  if (url === null) return <p className="muted">No callback address was given: the partner asks for the status.</p>;
  if (callbacks.length === 0) return <p className="muted">One follows at the end, to {url}.</p>;
  return callbacks.map((callback) => {
    const last = callback.attempts.at(-1);
    return (
      <article key={callback.id} className="callback" aria-label={`Callback ${callback.event}`}>
        <div className="callback-line">
          <h3>{callback.event}</h3>
          <Badge {...STATES[callback.state]} />
          <Id value={callback.id} what="callback" />
        </div>
        <p className="url">{callback.callback_url}</p>
        <p className="muted small">
          {callback.attempts.length === 0
            ? "Not attempted yet"
            : `${callback.attempts.length} attempt${callback.attempts.length === 1 ? "" : "s"}`}
          {last && (
            <>
              , the last <Time at={last.sent_at} form="absolute" />: {last.response_status ?? last.error ?? "under way"}
            </>
          )}
        </p>
        <details>
          <summary>Body</summary>
          <CodeBlock label="Body of the callback" text={JSON.stringify(callback.payload, null, 2)} />
        </details>
      </article>
    );
  });
}

type MemberWire = NonNullable<WithdrawalStory["member"]>;

export function memberText({ name, external_user_id }: MemberWire): string {
  return name === null ? external_user_id : `${name} (${external_user_id})`;
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, CircleDashed, SendHorizontal } from "lucide-react";
import { Button } from "../../../_components/button.tsx";
import { CodeBlock } from "../../../_components/code-block.tsx";
import { Id } from "../../../_components/id.tsx";
import { Trouble } from "../../../_components/list-states.tsx";
import { Scroll } from "../../../_components/page-header.tsx";
import { Badge } from "../../../_components/status-badge.tsx";
import { Countdown, Time } from "../../../_components/time.tsx";
import { useToast } from "../../../_components/toast.tsx";
import { useTRPC } from "../../../_trpc/client.ts";
import type { Story } from "./story.ts";

type Callback = Story["callback_list"][number];

const WAITS = ["0", "1 m", "5 m", "30 m", "2 h", "12 h"];
const EVENTS: Record<string, string> = {
  "settlement.approved": "Approval",
  "settlement.executed": "Executed",
  "settlement.failed": "Failed",
};
const STATES = {
  pending: { word: "Queued", icon: CircleDashed, tone: "pending" },
  delivered: { word: "Delivered", icon: Check, tone: "executed" },
  undelivered: { word: "Undelivered", icon: SendHorizontal, tone: "undelivered" },
} as const;

/** What was told to the partner, by which attempts; and why nothing is, where nothing is. */
export function CallbacksPart({ story, mayResend }: { story: Story; mayResend: boolean }) {
  const { callback_list: callbacks, settlement, creation_callback_url: creationUrl } = story;
  if (callbacks.length === 0) {
    return (
      <p className="muted">
        {settlement.status === "cancelled"
          ? "None: cancelling and rejecting send no callback."
          : creationUrl === null && settlement.approval_state !== null && settlement.status === "quoted"
            ? "No callback address was given at creation: the partner has to ask whether the settlement was approved."
            : "None yet."}
      </p>
    );
  }
  return callbacks.map((callback) => <OneCallback key={callback.id} callback={callback} txId={settlement.tx_id} mayResend={mayResend} />);
}

function OneCallback({ callback, txId, mayResend }: { callback: Callback; txId: string; mayResend: boolean }) {
  const series = Math.max(1, ...callback.attempts.map((attempt) => attempt.series));
  const current = callback.attempts.filter((attempt) => attempt.series === series);
  return (
    <article className="callback" aria-label={`${EVENTS[callback.event] ?? callback.event} callback`}>
      <div className="callback-line">
        <h3>{EVENTS[callback.event] ?? callback.event}</h3>
        <Badge {...STATES[callback.state]} />
        <Id value={callback.id} what="callback" />
        {mayResend && callback.state !== "pending" && <Resend txId={txId} callbackId={callback.id} />}
      </div>
      <p className="url">{callback.callback_url}</p>
      <Dots attempts={current} />
      {callback.next_attempt_at && (
        <p className="muted small">
          Next attempt in <Countdown to={callback.next_attempt_at} label="Next attempt in" />
        </p>
      )}
      {callback.attempts.length > 0 && <AttemptRows attempts={callback.attempts} />}
      <details>
        <summary>Body</summary>
        <CodeBlock label="Body of the callback" text={JSON.stringify(callback.payload, null, 2)} />
      </details>
    </article>
  );
}

/** Starts the six attempts anew. Queued is not delivered: the attempts say what came of it. */
function Resend({ txId, callbackId }: { txId: string; callbackId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const resend = useMutation(
    trpc.settlements.resend.mutationOptions({
      onSuccess: () => toast("Queued", "The first attempt follows at once."),
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.settlements.byId.queryKey({ tx_id: txId }) }),
    }),
  );
  return (
    <>
      <Button pending={resend.isPending} onClick={() => resend.mutate({ tx_id: txId, callback_id: callbackId })}>
        Resend
      </Button>
      {resend.error && <Trouble error={resend.error} compact />}
    </>
  );
}

/** The six attempts: what each met, and how long after the one before it comes. */
function Dots({ attempts }: { attempts: Callback["attempts"] }) {
  return (
    <ol className="dots" aria-label="Attempts">
      {WAITS.map((wait, index) => {
        const attempt = attempts.find(({ number }) => number === index + 1);
        const met =
          attempt && (attempt.response_status === null ? (attempt.error ? "no answer" : "under way") : String(attempt.response_status));
        const tone =
          attempt === undefined ? undefined : attempt.error ? "failed" : attempt.response_status === null ? "pending" : "executed";
        return (
          <li key={wait} className="dot" data-tone={tone}>
            <span className="dot-mark" aria-hidden />
            <span>{met ?? <span className="muted">+{wait}</span>}</span>
          </li>
        );
      })}
    </ol>
  );
}

function AttemptRows({ attempts }: { attempts: Callback["attempts"] }) {
  return (
    <Scroll label="Attempts at this callback">
      <table className="attempt-table">
        <caption className="sr-only">Attempts at this callback</caption>
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col">Sent</th>
            <th scope="col">Took</th>
            <th scope="col">Answer</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <tr key={`${attempt.series} ${attempt.number}`}>
              <td>
                {attempt.number}/6{attempt.series > 1 && <span className="muted"> resend {attempt.series - 1}</span>}
              </td>
              <td>
                <Time at={attempt.sent_at} form="absolute" />
              </td>
              <td>{attempt.duration_ms === null ? "–" : `${attempt.duration_ms} ms`}</td>
              <td className="attempt-answer">
                {attempt.response_status ?? ""} {attempt.error}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

"use client";

import { Check, LoaderCircle, X } from "lucide-react";
import type { AttemptWire, CallbackWire, ResendWire } from "#server/contract/console/callback.ts";
import { CopyAction } from "../../_components/copy-action.tsx";
import { KeyValues } from "../../_components/key-values.tsx";
import { Badge } from "../../_components/status-badge.tsx";
import { Time } from "../../_components/time.tsx";
import { replayCommand } from "../../_format/curl.ts";
import { BodyBlock } from "./body-block.tsx";
import { TimingBar } from "./timing-bar.tsx";
import { kindWord, metBy, statusLine, toneOf } from "./words.ts";

const KEPT_BYTES = 4_096;
const ICONS = { executed: Check, failed: X, quoted: LoaderCircle } as const;

/** One attempt in a line, and on asking what was sent and what came back. */
export function AttemptView({ callback, attempt, open }: { callback: CallbackWire; attempt: AttemptWire; open: boolean }) {
  const tone = toneOf(attempt);
  return (
    <details className="attempt" open={open}>
      <summary>
        <span className="attempt-number">{attempt.number}/6</span>
        <Badge word={metBy(attempt)} icon={ICONS[tone as keyof typeof ICONS] ?? X} tone={tone} />
        <span className="muted">
          <Time at={attempt.sent_at} form="absolute" />
        </span>
        <span className="muted">{attempt.duration_ms === null ? "" : `${attempt.duration_ms.toLocaleString("en")} ms`}</span>
        <span className="muted">{howBegun(attempt, callback.resends)}</span>
      </summary>
      <Exchange callback={callback} attempt={attempt} />
    </details>
  );
}

/** The first of a series that somebody began is manual; what follows it is by the schedule. */
export function howBegun({ series, number }: { series: number; number: number }, resends: readonly ResendWire[]): string {
  if (series === 1 || number > 1) return "automatic";
  const resend = resends.find((each) => each.series === series);
  return `manual, by ${resend === undefined ? "somebody" : byWhom(resend)}`;
}

export function byWhom({ actor }: ResendWire): string {
  if (actor.name !== null) return actor.type === "user" ? actor.name : `the key “${actor.name}”`;
  return actor.type === "operator" ? "the operator" : "a key";
}

function Exchange({ callback, attempt }: { callback: CallbackWire; attempt: AttemptWire }) {
  const { request_headers: sent, response_body: answered } = attempt;
  return (
    <div className="exchange">
      {attempt.error && (
        <p className="note" data-kind="danger">
          {attempt.error}
        </p>
      )}
      <KeyValues
        items={[
          { key: "Attempt", value: `${attempt.number} of 6, ${howBegun(attempt, callback.resends)}` },
          attempt.error_kind !== null && { key: "Error class", value: kindOf(attempt) },
          { key: "Due", value: <Time at={attempt.scheduled_at} form="absolute" /> },
          attempt.remote_address !== null && { key: "Resolved address", value: <code>{attempt.remote_address}</code> },
        ]}
      />
      <TimingBar timings={attempt.timings} duration={attempt.duration_ms} />
      <div className="exchange-sides">
        <section className="exchange-side" aria-label="Request">
          <header className="exchange-header">
            <span className="exchange-title">Request</span>
            {sent && <CopyAction text={replayCommand(callback.callback_url, sent, callback.body)}>Copy as cURL</CopyAction>}
          </header>
          <p className="exchange-line">POST {callback.callback_url}</p>
          {sent ? (
            <Headers of={sent} label="Request headers" />
          ) : (
            <p className="muted">{attempt.ended ? "Nothing was sent." : "Under way."}</p>
          )}
          <BodyBlock label="Request body" text={callback.body} bytes={callback.body_bytes} />
        </section>
        <section className="exchange-side" aria-label="Response">
          <header className="exchange-header">
            <span className="exchange-title">Response</span>
          </header>
          <p className="exchange-line">{attempt.response_status === null ? "No answer" : statusLine(attempt.response_status)}</p>
          {attempt.response_headers && <Headers of={attempt.response_headers} label="Response headers" />}
          {answered !== null && (
            <BodyBlock
              label="Response body"
              text={answered}
              bytes={attempt.response_bytes}
              isCut={attempt.response_bytes !== null && attempt.response_bytes > KEPT_BYTES}
            />
          )}
          {answered === null && attempt.response_status !== null && <p className="muted">No body.</p>}
        </section>
      </div>
    </div>
  );
}

function kindOf({ error_kind, response_status }: AttemptWire): string {
  if (error_kind !== "status" || response_status === null) return kindWord(error_kind ?? "");
  return response_status < 400 ? `${response_status}, a redirect: not followed` : `${response_status}, not a 2xx`;
}

function Headers({ of, label }: { of: Record<string, string>; label: string }) {
  return (
    <dl className="headers" aria-label={label}>
      {Object.entries(of).map(([name, value]) => (
        <div key={name} className="header-line">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import { CopyAction } from "../../_components/controls/copy-button.tsx";
import { KeyValues } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { replayCommand } from "../../_format/curl.ts";
import type { Attempt } from "./answers.ts";
import { BodyBlock } from "./body-block.tsx";
import { TimingBar } from "./timing-bar.tsx";
import { kindWord, statusLine } from "./words.ts";

const KEPT_BYTES = 4_096;

type ExchangeProps = {
  /** What was to be sent, and where. */
  callback: { callback_url: string; body: string; body_bytes: number };
  attempt: Attempt;
  /** What else is known of the attempt. */
  facts: React.ComponentProps<typeof KeyValues>["items"];
};

/** All that was sent and came back in one attempt, and where the time went. */
export function Exchange({ callback, attempt, facts }: ExchangeProps) {
  const { request_headers: sent, response_body: answered } = attempt;
  return (
    <div className="exchange">
      {attempt.error && <Note kind="danger">{attempt.error}</Note>}
      <KeyValues
        items={[
          ...facts,
          attempt.error_kind !== null && { key: "Error class", value: kindOf(attempt) },
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

function kindOf({ error_kind, response_status }: Attempt): string {
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

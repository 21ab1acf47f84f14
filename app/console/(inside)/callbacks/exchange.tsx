import { CopyAction } from "../../_components/controls/copy-button.tsx";
import { KeyValues } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { replayCommand } from "../../_format/curl.ts";
import { Data, Served, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Attempt } from "./answers.ts";
import { BodyBlock } from "./body-block.tsx";
import { kindWord, statusLine } from "./signs.ts";
import { CALLBACK_WORDS } from "./state-words.ts";
import { TimingBar } from "./timing-bar.tsx";
import { EXCHANGE } from "./words.ts";

type Translations = WithShared<typeof EXCHANGE>;

const KEPT_BYTES = 4_096;

type ExchangeProps = {
  /** The request, and its destination. */
  callback: { callback_url: string; body: string; body_bytes: number };
  attempt: Attempt;
  /** More about the attempt. */
  facts: React.ComponentProps<typeof KeyValues>["items"];
};

/** Request, response and timing of one attempt. */
export function Exchange({ callback, attempt, facts }: ExchangeProps) {
  const [t, words] = [useTranslations(EXCHANGE), useTranslations(CALLBACK_WORDS)];
  const { request_headers: sent, response_body: answered } = attempt;
  return (
    <div className="exchange">
      {attempt.error && (
        <Note kind="danger">
          <Served>{attempt.error}</Served>
        </Note>
      )}
      <KeyValues
        items={[
          ...facts,
          attempt.error_kind !== null && { key: t.errorClass, value: kindOf(attempt, t, words) },
          attempt.remote_address !== null && { key: t.resolvedAddress, value: <code>{attempt.remote_address}</code> },
        ]}
      />
      <TimingBar timings={attempt.timings} duration={attempt.duration_ms} />
      <div className="exchange-sides">
        <section className="exchange-side" aria-label={t.request}>
          <header className="exchange-header">
            <span className="exchange-title">{t.request}</span>
            {sent && <CopyAction text={replayCommand(callback.callback_url, sent, callback.body)}>{t.copyAsCurl}</CopyAction>}
          </header>
          <p className="exchange-line" translate="no">
            POST {callback.callback_url}
          </p>
          {sent ? <Headers of={sent} label={t.requestHeaders} /> : <p className="muted">{attempt.ended ? t.nothingSent : t.inProgress}</p>}
          <BodyBlock label={t.requestBody} text={callback.body} bytes={callback.body_bytes} />
        </section>
        <section className="exchange-side" aria-label={t.response}>
          <header className="exchange-header">
            <span className="exchange-title">{t.response}</span>
          </header>
          <p className="exchange-line">
            {attempt.response_status === null ? t.noAnswer : <Data>{statusLine(attempt.response_status)}</Data>}
          </p>
          {attempt.response_headers && <Headers of={attempt.response_headers} label={t.responseHeaders} />}
          {answered !== null && (
            <BodyBlock
              label={t.responseBody}
              text={answered}
              bytes={attempt.response_bytes}
              isCut={attempt.response_bytes !== null && attempt.response_bytes > KEPT_BYTES}
            />
          )}
          {answered === null && attempt.response_status !== null && <p className="muted">{t.noBody}</p>}
        </section>
      </div>
    </div>
  );
}

function kindOf({ error_kind, response_status }: Attempt, t: Translations, words: typeof CALLBACK_WORDS): string {
  if (error_kind !== "status" || response_status === null) return kindWord(error_kind ?? "", words);
  return response_status < 400 ? t.redirect(response_status) : t.notAccepted(response_status);
}

function Headers({ of, label }: { of: Record<string, string>; label: string }) {
  return (
    <dl className="headers" aria-label={label}>
      {Object.entries(of).map(([name, value]) => (
        <div key={name} className="header-line">
          <dt translate="no">{name}</dt>
          <dd translate="no">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

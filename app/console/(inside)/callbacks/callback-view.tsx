import { useState } from "react";
import { Badge, Id } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { CallbackStory } from "./answers.ts";
import { AttemptNow } from "./attempt-now.tsx";
import { AttemptRail } from "./attempt-rail.tsx";
import { AttemptView, byWhom } from "./attempt-view.tsx";
import { BodyBlock } from "./body-block.tsx";
import { Paused, usePauses } from "./paused.tsx";
import { ResendOne } from "./resend-one.tsx";
import { signOf } from "./signs.ts";
import { CALLBACK_WORDS, EVENT_WORDS } from "./state-words.ts";
import { ATTEMPT_VIEW, CALLBACK_VIEW } from "./words.ts";

/** A callback in a list: its state, its six attempts and, on demand, each attempt in full. */
export function CallbackCard({ callback, mayResend }: { callback: CallbackStory; mayResend: boolean }) {
  const [t, words, events] = [useTranslations(CALLBACK_VIEW), useTranslations(CALLBACK_WORDS), useTranslations(EVENT_WORDS)];
  const word = events[callback.event] ?? callback.event;
  return (
    <article className="callback" aria-label={t.callback(word)}>
      <div className="callback-line">
        <h3>{word}</h3>
        <Badge {...signOf(callback, words)} />
        <Id value={callback.id} what={t.callbackNoun} href={`/console/callbacks/${callback.id}`} />
        {mayResend && callback.state !== "delivered" && <AttemptNow callback={callback} />}
        {mayResend && callback.state !== "pending" && <ResendOne callback={callback} />}
      </div>
      <p className="url" translate="no">
        {callback.callback_url}
      </p>
      {callback.state !== "delivered" && <Paused url={callback.callback_url} partnerId={callback.partner.id} />}
      <CallbackBody callback={callback} openFirst={false} />
    </article>
  );
}

/** The rail of the last series, and every attempt, newest first. */
export function CallbackBody({ callback, openFirst }: { callback: CallbackStory; openFirst: boolean }) {
  const [t, words] = [useTranslations(CALLBACK_VIEW), useTranslations(ATTEMPT_VIEW)];
  const isPaused = usePauses({ url: callback.callback_url, partnerId: callback.partner.id }).length > 0;
  // The newest when the page opened: a later attempt arrives closed, and does not push away what is read.
  const newest = callback.attempts[0]?.id;
  const [first, setFirst] = useState(newest);
  if (newest !== undefined && !callback.attempts.some(({ id }) => id === first)) setFirst(newest);
  const resend = callback.resends.find(({ series }) => series === callback.series);
  return (
    <>
      {callback.series > 1 && (
        <p className="muted small">{t.resentBy(callback.series, resend === undefined ? null : byWhom(resend, words))}</p>
      )}
      <AttemptRail {...callback} isPaused={isPaused} />
      {callback.attempts.length === 0 ? (
        <BodyBlock label={t.requestBody} text={callback.body} bytes={callback.body_bytes} />
      ) : (
        <div className="attempt-list">
          {callback.attempts.map((attempt) => (
            <AttemptView key={attempt.id} callback={callback} attempt={attempt} open={openFirst && attempt.id === first} />
          ))}
        </div>
      )}
    </>
  );
}

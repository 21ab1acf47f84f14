import { Badge, Id } from "../../_components/controls/values.tsx";
import type { CallbackStory } from "./answers.ts";
import { AttemptNow } from "./attempt-now.tsx";
import { AttemptRail } from "./attempt-rail.tsx";
import { AttemptView, byWhom } from "./attempt-view.tsx";
import { BodyBlock } from "./body-block.tsx";
import { ResendOne } from "./resend-one.tsx";
import { EVENT_WORDS, signOf } from "./words.ts";

/** A callback among others: its state, its six attempts, and on asking each of them whole. */
export function CallbackCard({ callback, mayResend }: { callback: CallbackStory; mayResend: boolean }) {
  const word = EVENT_WORDS[callback.event] ?? callback.event;
  return (
    <article className="callback" aria-label={`${word} callback`}>
      <div className="callback-line">
        <h3>{word}</h3>
        <Badge {...signOf(callback)} />
        <Id value={callback.id} what="callback" href={`/console/callbacks/${callback.id}`} />
        {mayResend && callback.state !== "delivered" && <AttemptNow callback={callback} />}
        {mayResend && callback.state !== "pending" && <ResendOne callback={callback} />}
      </div>
      <p className="url">{callback.callback_url}</p>
      <CallbackBody callback={callback} openFirst={false} />
    </article>
  );
}

/** The rail of the last series, and every attempt, newest first. */
export function CallbackBody({ callback, openFirst }: { callback: CallbackStory; openFirst: boolean }) {
  const resend = callback.resends.find(({ series }) => series === callback.series);
  return (
    <>
      {callback.series > 1 && (
        <p className="muted small">
          Resent {callback.series === 2 ? "once" : `${callback.series - 1} times`}
          {resend && `, last by ${byWhom(resend)}`}.
        </p>
      )}
      <AttemptRail {...callback} />
      {callback.attempts.length === 0 ? (
        <BodyBlock label="Request body" text={callback.body} bytes={callback.body_bytes} />
      ) : (
        <div className="attempt-list">
          {callback.attempts.map((attempt, index) => (
            <AttemptView key={attempt.id} callback={callback} attempt={attempt} open={openFirst && index === 0} />
          ))}
        </div>
      )}
    </>
  );
}

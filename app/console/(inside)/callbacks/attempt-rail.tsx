import { useNow } from "../../_components/controls/clock.tsx";
import { Countdown } from "../../_components/controls/countdown.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { CallbackRow, Mark } from "./answers.ts";
import { metBy, toneOf, WAITS } from "./signs.ts";
import { CALLBACK_WORDS } from "./state-words.ts";
import { ATTEMPT_RAIL } from "./words.ts";

/** `isPaused`: its receiver is, so that no time counts down to the next attempt. */
type RailProps = Pick<CallbackRow, "marks" | "next_attempt_at" | "state"> & { isPaused: boolean };
const TIMEOUT_MS = 30_000;

/** The six attempts of a series: the outcome of each, and the delay before it. The next one counts down. */
export function AttemptRail({ marks, next_attempt_at, state, isPaused }: RailProps) {
  const [t, words] = [useTranslations(ATTEMPT_RAIL), useTranslations(CALLBACK_WORDS)];
  const next = state === "pending" ? nextNumber(marks) : null;
  return (
    <ol className="six" aria-label={t.attempts}>
      {WAITS.map((wait, index) => {
        const mark = marks.find(({ number }) => number === index + 1);
        const isNext = next === index + 1;
        return (
          <li key={wait} className="six-step" data-tone={mark && toneOf(mark)} data-next={isNext || undefined}>
            <span className="six-dot" aria-hidden />
            <span className="six-met">
              <span className="sr-only">{t.attempt(index + 1)} </span>
              {mark ? metBy(mark, words) : isNext && next_attempt_at ? <Next at={next_attempt_at} isPaused={isPaused} /> : "–"}
            </span>
            <span className="six-wait">{index === 0 ? t.atOnce : `+${wait}`}</span>
            {mark && !mark.ended && <UnderWay since={mark.sent_at} />}
          </li>
        );
      })}
    </ol>
  );
}

function Next({ at, isPaused }: { at: string; isPaused: boolean }) {
  const t = useTranslations(ATTEMPT_RAIL);
  return isPaused ? t.paused : <Countdown to={at} label={t.nextAttempt} plain />;
}

/** The elapsed part of a running attempt's thirty seconds. */
function UnderWay({ since }: { since: string }) {
  const t = useTranslations(ATTEMPT_RAIL);
  const now = useNow(1_000);
  const gone = Math.min(TIMEOUT_MS, Math.max(0, now - new Date(since).getTime()));
  return <progress className="six-progress" max={TIMEOUT_MS} value={gone} aria-label={t.timeUsed} />;
}

function nextNumber(marks: readonly Mark[]): number | null {
  if (marks.some(({ ended }) => !ended)) return null;
  return Math.max(0, ...marks.map(({ number }) => number ?? 0)) + 1;
}

/** The same in a list: six small dots, of which only the last attempt has a colour. Their meaning is also in text. */
export function AttemptDots({ marks }: { marks: readonly Mark[] }) {
  const [t, words] = [useTranslations(ATTEMPT_RAIL), useTranslations(CALLBACK_WORDS)];
  const last = marks.at(-1);
  return (
    <span className="mini-six">
      <span className="mini-dots" aria-hidden>
        {WAITS.map((wait, index) => {
          const mark = marks.find(({ number }) => number === index + 1);
          return <span key={wait} className="mini-dot" data-tone={mark && (mark === last ? toneOf(mark) : "plain")} />;
        })}
      </span>
      {last ? (
        <span className="mini-met">
          {last.number === null ? t.extra : `${last.number}/6`} <span className="muted">{metBy(last, words)}</span>
        </span>
      ) : (
        <span className="muted">0/6</span>
      )}
    </span>
  );
}

import { Check, LoaderCircle, X } from "lucide-react";
import { Badge, Time } from "../../_components/controls/values.tsx";
import { useWords } from "../../_words/words.ts";
import type { Attempt, CallbackStory, Resend } from "./answers.ts";
import { Exchange } from "./exchange.tsx";
import { metBy, toneOf } from "./signs.ts";
import { CALLBACK_WORDS } from "./state-words.ts";
import { ATTEMPT_VIEW } from "./words.ts";

type Says = typeof ATTEMPT_VIEW;

const ICONS = { executed: Check, failed: X, quoted: LoaderCircle } as const;

/** One attempt in a line, and on asking what was sent and what came back. */
export function AttemptView({ callback, attempt, open }: { callback: CallbackStory; attempt: Attempt; open: boolean }) {
  const says = useWords(ATTEMPT_VIEW);
  return (
    <details className="attempt" open={open}>
      <summary>
        <span className="attempt-number">{attempt.number === null ? says.extra : `${attempt.number}/6`}</span>
        <MetBadge attempt={attempt} />
        <span className="muted">
          <Time at={attempt.sent_at} form="absolute" />
        </span>
        <span className="muted">{attempt.duration_ms === null ? "" : says.ms(attempt.duration_ms.toLocaleString("en"))}</span>
        <span className="muted">{howBegun(attempt, callback.resends, says)}</span>
      </summary>
      <Exchange
        callback={callback}
        attempt={attempt}
        facts={[
          {
            key: says.attempt,
            value: `${attempt.number === null ? says.besideSix : says.so6(attempt.number)}, ${howBegun(attempt, callback.resends, says)}`,
          },
          { key: attempt.number === null ? says.asked : says.due, value: <Time at={attempt.scheduled_at} form="absolute" /> },
        ]}
      />
    </details>
  );
}

/** What the attempt met, in a word. */
export function MetBadge({ attempt }: { attempt: Attempt }) {
  const says = useWords(CALLBACK_WORDS);
  const tone = toneOf(attempt);
  return <Badge word={metBy(attempt, says)} icon={ICONS[tone as keyof typeof ICONS] ?? X} tone={tone} />;
}

/** The first of a series that somebody began is manual; what follows it is by the schedule. */
export function howBegun({ series, number }: { series: number; number: number | null }, resends: readonly Resend[], says: Says): string {
  if (number === null) return says.manual;
  if (series === 1 || number > 1) return says.automatic;
  const resend = resends.find((each) => each.series === series);
  return says.manualBy(resend === undefined ? says.somebody : byWhom(resend, says));
}

export function byWhom({ actor }: Resend, says: Says): string {
  if (actor.name !== null) return actor.type === "user" ? actor.name : says.key(actor.name);
  return actor.type === "operator" ? says.operator : says.key2;
}

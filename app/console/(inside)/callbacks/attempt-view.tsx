import { Check, LoaderCircle, X } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Badge, Time } from "../../_components/controls/values.tsx";
import { Skeleton } from "../../_components/lists/list-states.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Attempt, CallbackStory, Resend } from "./answers.ts";
import { metBy, toneOf } from "./signs.ts";
import { CALLBACK_WORDS } from "./state-words.ts";
import { ATTEMPT_VIEW } from "./words.ts";

type Translations = typeof ATTEMPT_VIEW;

const ExchangeWaiting = () => <Skeleton rows={4} />;
const Exchange = lazyComponent(() => import("./exchange.tsx").then((loaded) => loaded.Exchange), ExchangeWaiting);

const ICONS = { executed: Check, failed: X, quoted: LoaderCircle } as const;

/** One attempt in a line; on demand with its request and response. */
export function AttemptView({ callback, attempt, open }: { callback: CallbackStory; attempt: Attempt; open: boolean }) {
  const t = useTranslations(ATTEMPT_VIEW);
  const [isOpen, setOpen] = useState(open);
  return (
    <details className="attempt" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="attempt-number">{attempt.number === null ? t.extra : `${attempt.number}/6`}</span>
        <MetBadge attempt={attempt} />
        <span className="muted">
          <Time at={attempt.sent_at} form="absolute" />
        </span>
        <span className="muted">{attempt.duration_ms === null ? "" : t.ms(t.format.count(attempt.duration_ms))}</span>
        <span className="muted">{howBegun(attempt, callback.resends, t)}</span>
      </summary>
      {isOpen && (
        <Exchange
          callback={callback}
          attempt={attempt}
          facts={[
            {
              key: t.attempt,
              value: `${attempt.number === null ? t.extraToSix : t.attemptOfSix(attempt.number)}, ${howBegun(attempt, callback.resends, t)}`,
            },
            { key: attempt.number === null ? t.asked : t.due, value: <Time at={attempt.scheduled_at} form="absolute" /> },
          ]}
        />
      )}
    </details>
  );
}

/** The attempt's outcome, in one word. */
export function MetBadge({ attempt }: { attempt: Attempt }) {
  const t = useTranslations(CALLBACK_WORDS);
  const tone = toneOf(attempt);
  return <Badge word={metBy(attempt, t)} icon={ICONS[tone as keyof typeof ICONS] ?? X} tone={tone} />;
}

/** The first attempt of a manual series is manual; later ones follow the schedule. */
export function howBegun(
  { series, number }: { series: number; number: number | null },
  resends: readonly Resend[],
  t: Translations,
): string {
  if (number === null) return t.manual;
  if (series === 1 || number > 1) return t.automatic;
  const resend = resends.find((each) => each.series === series);
  return t.manualBy(resend === undefined ? t.somebody : byWhom(resend, t));
}

export function byWhom({ actor }: Resend, t: Translations): string {
  if (actor.name !== null) return actor.type === "user" ? actor.name : t.key(actor.name);
  return actor.type === "operator" ? t.operator : t.keyNoun;
}

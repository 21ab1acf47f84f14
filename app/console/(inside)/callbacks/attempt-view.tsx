import { Check, LoaderCircle, X } from "lucide-react";
import { Badge, Time } from "../../_components/controls/values.tsx";
import type { Attempt, CallbackStory, Resend } from "./answers.ts";
import { Exchange } from "./exchange.tsx";
import { metBy, toneOf } from "./words.ts";

const ICONS = { executed: Check, failed: X, quoted: LoaderCircle } as const;

/** One attempt in a line, and on asking what was sent and what came back. */
export function AttemptView({ callback, attempt, open }: { callback: CallbackStory; attempt: Attempt; open: boolean }) {
  return (
    <details className="attempt" open={open}>
      <summary>
        <span className="attempt-number">{attempt.number === null ? "Extra" : `${attempt.number}/6`}</span>
        <MetBadge attempt={attempt} />
        <span className="muted">
          <Time at={attempt.sent_at} form="absolute" />
        </span>
        <span className="muted">{attempt.duration_ms === null ? "" : `${attempt.duration_ms.toLocaleString("en")} ms`}</span>
        <span className="muted">{howBegun(attempt, callback.resends)}</span>
      </summary>
      <Exchange
        callback={callback}
        attempt={attempt}
        facts={[
          {
            key: "Attempt",
            value: `${attempt.number === null ? "Beside the six" : `${attempt.number} of 6`}, ${howBegun(attempt, callback.resends)}`,
          },
          { key: attempt.number === null ? "Asked for" : "Due", value: <Time at={attempt.scheduled_at} form="absolute" /> },
        ]}
      />
    </details>
  );
}

/** What the attempt met, in a word. */
export function MetBadge({ attempt }: { attempt: Attempt }) {
  const tone = toneOf(attempt);
  return <Badge word={metBy(attempt)} icon={ICONS[tone as keyof typeof ICONS] ?? X} tone={tone} />;
}

/** The first of a series that somebody began is manual; what follows it is by the schedule. */
export function howBegun({ series, number }: { series: number; number: number | null }, resends: readonly Resend[]): string {
  if (number === null) return "manual";
  if (series === 1 || number > 1) return "automatic";
  const resend = resends.find((each) => each.series === series);
  return `manual, by ${resend === undefined ? "somebody" : byWhom(resend)}`;
}

export function byWhom({ actor }: Resend): string {
  if (actor.name !== null) return actor.type === "user" ? actor.name : `the key “${actor.name}”`;
  return actor.type === "operator" ? "the operator" : "a key";
}

import { useTranslations } from "../../_words/words.ts";
import type { Attempt } from "./answers.ts";
import { TIMING_BAR } from "./words.ts";

type Translations = typeof TIMING_BAR;

type Timings = Attempt["timings"];
const stepsOf = (t: Translations) =>
  [
    { name: "dns", word: t.dns },
    { name: "connect", word: t.connect },
    { name: "tls", word: t.tls },
    { name: "first_byte", word: t.firstByte },
  ] as const satisfies { name: keyof Timings; word: string }[];

/** The steps of an attempt's time, to scale, each with its figure. */
export function TimingBar({ timings, duration }: { timings: Timings; duration: number | null }) {
  const t = useTranslations(TIMING_BAR);
  if (duration === null) return null;
  const known = stepsOf(t).flatMap(({ name, word }) => {
    const ms = timings[name];
    return ms === null ? [] : [{ word, ms }];
  });
  const rest = Math.max(0, Math.round((duration - known.reduce((sum, { ms }) => sum + ms, 0)) * 10) / 10);
  const steps = [...known, ...(rest > 0 ? [{ word: t.body, ms: rest }] : [])];
  return (
    <div className="timing">
      <svg className="timing-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
        {placed(steps).map(({ word, from, width }) => (
          <rect key={word} x={from} width={width} y={0} height={4} data-step={word} />
        ))}
      </svg>
      <ul className="timing-words" aria-label={t.label}>
        {steps.map(({ word, ms }) => (
          <li key={word} className="timing-word" data-step={word}>
            {t.phase(word, ms)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The position of each step in percent. Even the shortest step stays visible. */
function placed(steps: readonly { word: string; ms: number }[]): { word: string; from: number; width: number }[] {
  const widths = steps.map(({ ms }) => Math.max(ms, 0.1));
  const scale = 100 / widths.reduce((sum, width) => sum + width, 0);
  return steps.map(({ word }, index) => ({
    word,
    from: widths.slice(0, index).reduce((sum, width) => sum + width, 0) * scale,
    width: (widths[index] ?? 0) * scale,
  }));
}

import { useState } from "react";
import { OVERLAPS_SECONDS } from "#domain/access.ts";

type Overlap = (typeof OVERLAPS_SECONDS)[number];

const WORDS: Record<Overlap, { title: string; means: string }> = {
  0: { title: "Now", means: "What still uses the old one fails at once." },
  86400: { title: "In 24 hours", means: "Both are valid for a day: time to roll out." },
  604800: { title: "In 7 days", means: "Both are valid for a week." },
};

/** Until when the old one stays valid beside the new. */
export function useOverlap() {
  const [overlap, setOverlap] = useState<Overlap>(86_400);
  const choice = (
    <fieldset className="reasons scope-choice">
      <legend className="field-label">The old one ends</legend>
      {OVERLAPS_SECONDS.map((seconds) => (
        <label key={seconds} className="check">
          <input type="radio" name="overlap" checked={overlap === seconds} onChange={() => setOverlap(seconds)} />
          <span>
            {WORDS[seconds].title} <span className="muted">{WORDS[seconds].means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
  return { overlap, choice };
}

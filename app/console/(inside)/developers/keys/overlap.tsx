import { useState } from "react";
import { OVERLAPS_SECONDS } from "#domain/access.ts";
import { useTranslations } from "../../../_words/words.ts";
import { OVERLAP } from "./words.ts";

type Overlap = (typeof OVERLAPS_SECONDS)[number];

/** Until when the old secret stays valid next to the new one. */
export function useOverlap() {
  const t = useTranslations(OVERLAP);
  const [overlap, setOverlap] = useState<Overlap>(86_400);
  const choice = (
    <fieldset className="reasons scope-choice">
      <legend className="field-label">{t.label}</legend>
      {OVERLAPS_SECONDS.map((seconds) => (
        <label key={seconds} className="check">
          <input type="radio" name="overlap" checked={overlap === seconds} onChange={() => setOverlap(seconds)} />
          <span>
            {t.choices[seconds].title} <span className="muted">{t.choices[seconds].means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
  return { overlap, choice };
}

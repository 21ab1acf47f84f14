import { useState } from "react";
import { OVERLAPS_SECONDS } from "#domain/access.ts";
import { useWords } from "../../../_words/words.ts";
import { OVERLAP } from "./words.ts";

type Overlap = (typeof OVERLAPS_SECONDS)[number];

/** Until when the old one stays valid beside the new. */
export function useOverlap() {
  const says = useWords(OVERLAP);
  const [overlap, setOverlap] = useState<Overlap>(86_400);
  const choice = (
    <fieldset className="reasons scope-choice">
      <legend className="field-label">{says.oldOneEnds}</legend>
      {OVERLAPS_SECONDS.map((seconds) => (
        <label key={seconds} className="check">
          <input type="radio" name="overlap" checked={overlap === seconds} onChange={() => setOverlap(seconds)} />
          <span>
            {says.choices[seconds].title} <span className="muted">{says.choices[seconds].means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
  return { overlap, choice };
}

import { useState } from "react";
import { OVERVIEW_RANGES, type OverviewLook } from "#domain/overview-range.ts";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { useTranslations } from "../../_words/words.ts";
import { lookWords } from "./figures.ts";
import type { OverviewParams } from "./search-params.ts";
import { RANGES } from "./words.ts";

const DaysDialog = lazyComponent(() => import("./days-dialog.tsx").then((loaded) => loaded.DaysDialog));

type RangeChoiceProps = {
  look: OverviewLook;
  isCompared: boolean;
  /** There is a period before to compare with; undefined while that is read. */
  hasBefore: boolean | undefined;
  set: (next: Partial<OverviewParams>) => void;
};

/** Chooses the overview's period: until now, or certain days; and the comparison with the period before. */
export function RangeChoice({ look, isCompared, hasBefore = true, set }: RangeChoiceProps) {
  const t = useTranslations(RANGES);
  const [choosing, setChoosing] = useState(false);
  const days = typeof look === "string" ? null : look;
  return (
    <>
      <fieldset className="chips overview-range">
        <legend className="sr-only">{t.legend}</legend>
        {OVERVIEW_RANGES.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={each === look}
            onClick={() => set({ range: each, from: null, to: null })}
          >
            <span aria-hidden>{t[each].short}</span>
            <span className="sr-only">{t[each].chosen}</span>
          </button>
        ))}
        <button type="button" className="chip" aria-pressed={days !== null} aria-haspopup="dialog" onClick={() => setChoosing(true)}>
          {days === null ? t.days : lookWords(days, t).chosen}
        </button>
        <button
          type="button"
          className="chip"
          aria-pressed={isCompared && hasBefore}
          title={t.against(lookWords(look, t).before)}
          onClick={() => set({ compare: isCompared ? "off" : null })}
        >
          {t.compare}
        </button>
      </fieldset>
      {choosing && (
        <DaysDialog
          days={days}
          onClose={() => setChoosing(false)}
          onChoose={(next) => {
            set(next);
            setChoosing(false);
          }}
        />
      )}
    </>
  );
}

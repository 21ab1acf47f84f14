import { type FormEvent, useId, useState } from "react";
import { type DayRange, daysIn, MOST_DAYS, OVERVIEW_RANGES, type OverviewLook } from "#domain/overview-range.ts";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { lookWords } from "./figures.ts";
import type { OverviewParams } from "./search-params.ts";
import { RANGES } from "./words.ts";

type RangeChoiceProps = { look: OverviewLook; isCompared: boolean; set: (next: Partial<OverviewParams>) => void };

/** Chooses the overview's period: until now, or certain days; and the comparison with the period before. */
export function RangeChoice({ look, isCompared, set }: RangeChoiceProps) {
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
          aria-pressed={isCompared}
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

type DaysDialogProps = { days: DayRange | null; onClose: () => void; onChoose: (days: DayRange) => void };

function DaysDialog({ days, onClose, onChoose }: DaysDialogProps) {
  const t = useTranslations(RANGES);
  const form = useId();
  const [from, setFrom] = useState(days?.from ?? "");
  const [to, setTo] = useState(days?.to ?? "");
  const [tried, setTried] = useState(false);
  const fault = tried ? faultOf({ from, to }, t) : undefined;
  const choose = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (faultOf({ from, to }, t) === undefined) onChoose({ from, to });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t.choose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" form={form} look="primary">
            {t.show}
          </Button>
        </>
      }
    >
      <form id={form} className="form" noValidate onSubmit={choose}>
        <div className="field-row">
          <TextField label={t.fromUtc} type="date" value={from} onChange={({ target }) => setFrom(target.value)} error={fault?.from} />
          <TextField label={t.to} type="date" value={to} onChange={({ target }) => setTo(target.value)} error={fault?.to} />
        </div>
      </form>
    </Dialog>
  );
}

/** An error, at its field. */
function faultOf({ from, to }: DayRange, t: WithShared<typeof RANGES>): { from?: string; to?: string } | undefined {
  if (from === "") return { from: t.noFirst };
  if (to === "") return { to: t.noLast };
  if (to < from) return { to: t.wrongOrder };
  return daysIn({ from, to }) === null ? { to: t.tooMany(MOST_DAYS) } : undefined;
}

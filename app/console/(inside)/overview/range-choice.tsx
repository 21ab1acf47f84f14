import { type FormEvent, useId, useState } from "react";
import { type DayRange, daysIn, MOST_DAYS, OVERVIEW_RANGES, type OverviewLook } from "#domain/overview-range.ts";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import type { OverviewParams } from "./search-params.ts";
import { lookWords, RANGE_WORDS } from "./words.ts";

type RangeChoiceProps = { look: OverviewLook; isCompared: boolean; set: (next: Partial<OverviewParams>) => void };

/** How far the overview looks back: to now, or over certain days; and whether against the period before. */
export function RangeChoice({ look, isCompared, set }: RangeChoiceProps) {
  const [choosing, setChoosing] = useState(false);
  const days = typeof look === "string" ? null : look;
  return (
    <>
      <fieldset className="chips overview-range">
        <legend className="sr-only">Range</legend>
        {OVERVIEW_RANGES.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={each === look}
            onClick={() => set({ range: each, from: null, to: null })}
          >
            <span aria-hidden>{each}</span>
            <span className="sr-only">{RANGE_WORDS[each].chosen}</span>
          </button>
        ))}
        <button type="button" className="chip" aria-pressed={days !== null} aria-haspopup="dialog" onClick={() => setChoosing(true)}>
          {days === null ? "Days…" : lookWords(days).chosen}
        </button>
        <button
          type="button"
          className="chip"
          aria-pressed={isCompared}
          title={`Against ${lookWords(look).before}`}
          onClick={() => set({ compare: isCompared ? "off" : null })}
        >
          Compare
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
  const form = useId();
  const [from, setFrom] = useState(days?.from ?? "");
  const [to, setTo] = useState(days?.to ?? "");
  const [tried, setTried] = useState(false);
  const fault = tried ? faultOf({ from, to }) : undefined;
  const choose = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (faultOf({ from, to }) === undefined) onChoose({ from, to });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Choose days"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary">
            Show these days
          </Button>
        </>
      }
    >
      <form id={form} className="form" noValidate onSubmit={choose}>
        <div className="field-row">
          <TextField label="From (UTC)" type="date" value={from} onChange={({ target }) => setFrom(target.value)} error={fault?.from} />
          <TextField label="to, included" type="date" value={to} onChange={({ target }) => setTo(target.value)} error={fault?.to} />
        </div>
      </form>
    </Dialog>
  );
}

/** What is wrong with it, at the field where it is. */
function faultOf({ from, to }: DayRange): { from?: string; to?: string } | undefined {
  if (from === "") return { from: "Choose the first day." };
  if (to === "") return { to: "Choose the last day." };
  if (to < from) return { to: "It is before the first day." };
  return daysIn({ from, to }) === null ? { to: `At most ${MOST_DAYS} days can be looked at.` } : undefined;
}

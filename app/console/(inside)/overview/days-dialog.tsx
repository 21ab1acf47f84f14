import { type FormEvent, useId, useState } from "react";
import { type DayRange, daysIn, MOST_DAYS } from "#domain/overview-range.ts";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { RANGES } from "./words.ts";

type DaysDialogProps = { days: DayRange | null; onClose: () => void; onChoose: (days: DayRange) => void };

/** Asks for the first and the last day of the overview's period. */
export function DaysDialog({ days, onClose, onChoose }: DaysDialogProps) {
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

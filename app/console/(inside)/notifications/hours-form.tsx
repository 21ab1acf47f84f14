import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { HOURS_FORM } from "./words.ts";

type Translations = WithShared<typeof HOURS_FORM>;

type Hours = { digest: "at_once" | "hourly" | "daily"; quiet_from: number | null; quiet_to: number | null; zone: string };

const digestsOf = (t: Translations) =>
  [
    { value: "at_once", label: t.atOnce },
    { value: "hourly", label: t.hourly },
    { value: "daily", label: t.daily },
  ] as const;

/** Mail and webhook follow these hours; the bell does not. */
export function HoursForm({ hours, onSaved }: { hours: Hours; onSaved: () => void }) {
  const t = useTranslations(HOURS_FORM);
  const { notifications } = useTRPCClient();
  const toast = useToast();
  const saving = useConfirmedMutation();
  const [digest, setDigest] = useState(hours.digest);
  const [from, setFrom] = useState(clockOf(hours.quiet_from));
  const [to, setTo] = useState(clockOf(hours.quiet_to));
  const [zone, setZone] = useState(hours.zone);
  const save = () =>
    void saving.run(
      () => notifications.setHours.mutate({ digest, quiet_from: minuteOf(from), quiet_to: minuteOf(to), zone }),
      () => {
        toast(t.saved, t.savedMore);
        onSaved();
      },
    );
  return (
    <form
      className="form wish-form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {saving.error !== null && <Refused error={saving.error} />}
      <Select
        label={t.delivery}
        choices={digestsOf(t)}
        value={digest}
        onChange={({ target }) => setDigest(digestsOf(t).find(({ value }) => value === target.value)?.value ?? "at_once")}
      />
      <TextField label={t.quietFrom} type="time" value={from} onChange={({ target }) => setFrom(target.value)} />
      <TextField label={t.quietUntil} type="time" hint={t.quietHint} value={to} onChange={({ target }) => setTo(target.value)} />
      <Select label={t.timeZone} choices={zonesWith(hours.zone)} value={zone} onChange={({ target }) => setZone(target.value)} />
      <div>
        <Button type="submit" look="primary" pending={saving.pending}>
          {t.save}
        </Button>
      </div>
    </form>
  );
}

/** `1320` → `22:00`, the format of the browser's field. */
function clockOf(minute: number | null): string {
  if (minute === null) return "";
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

function minuteOf(clock: string): number | null {
  const [hour, minute] = clock.split(":").map(Number);
  return hour === undefined || minute === undefined || Number.isNaN(hour) ? null : hour * 60 + minute;
}

/** The browser's own, and the stored value. */
function zonesWith(own: string) {
  const known = new Set(["UTC", own, ...Intl.supportedValuesOf("timeZone")]);
  return [...known].map((name) => ({ value: name, label: name.replaceAll("_", " "), origin: "data" as const }));
}

import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";

type Hours = { digest: "at_once" | "hourly" | "daily"; quiet_from: number | null; quiet_to: number | null; zone: string };

const DIGESTS = [
  { value: "at_once", label: "At once" },
  { value: "hourly", label: "Once an hour, together" },
  { value: "daily", label: "Once a day at nine, together" },
] as const;

/** Mail and webhook wait for these hours; the bell does not. */
export function HoursForm({ hours, onSaved }: { hours: Hours; onSaved: () => void }) {
  const { notifications } = useTRPCClient();
  const toast = useToast();
  const saving = useDeed();
  const [digest, setDigest] = useState(hours.digest);
  const [from, setFrom] = useState(clockOf(hours.quiet_from));
  const [to, setTo] = useState(clockOf(hours.quiet_to));
  const [zone, setZone] = useState(hours.zone);
  const save = () =>
    void saving.run(
      () => notifications.setHours.mutate({ digest, quiet_from: minuteOf(from), quiet_to: minuteOf(to), zone }),
      () => {
        toast("Saved", "Mail and webhook keep to these hours from now on.");
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
        label="Mail and webhook"
        choices={DIGESTS}
        value={digest}
        onChange={({ target }) => setDigest(DIGESTS.find(({ value }) => value === target.value)?.value ?? "at_once")}
      />
      <TextField label="Quiet from" type="time" value={from} onChange={({ target }) => setFrom(target.value)} />
      <TextField
        label="Quiet until"
        type="time"
        hint="Leave both empty for no quiet hours. The bell rings at any hour."
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <Select label="Your time zone" choices={zonesWith(hours.zone)} value={zone} onChange={({ target }) => setZone(target.value)} />
      <div>
        <Button type="submit" look="primary" pending={saving.pending}>
          Save the hours
        </Button>
      </div>
    </form>
  );
}

/** `1320` → `22:00`, as a field of the browser takes it. */
function clockOf(minute: number | null): string {
  if (minute === null) return "";
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

function minuteOf(clock: string): number | null {
  const [hour, minute] = clock.split(":").map(Number);
  return hour === undefined || minute === undefined || Number.isNaN(hour) ? null : hour * 60 + minute;
}

/** The browser's own, and whatever stands there. */
function zonesWith(own: string) {
  const known = new Set(["UTC", own, ...Intl.supportedValuesOf("timeZone")]);
  return [...known].map((name) => ({ value: name, label: name.replaceAll("_", " ") }));
}

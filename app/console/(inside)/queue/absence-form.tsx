import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { ABSENCE } from "./words.ts";

/** Who is asked for decisions while this person is away. */
export function AbsenceForm() {
  const t = useTranslations(ABSENCE);
  const trpc = useTRPC();
  const { work } = useTRPCClient();
  const toast = useToast();
  const saving = useConfirmedMutation();
  const { data } = useQuery(trpc.work.absence.queryOptions());
  const refresh = useRefresh(trpc.work.absence.queryKey());
  const [substitute, setSubstitute] = useState("");
  const [day, setDay] = useState("");
  if (data === undefined) return null;
  const { absence, substitutes } = data;
  const end = () =>
    void saving.run(
      () => work.setAbsence.mutate({ absence: null }),
      () => {
        toast(t.ended, t.endedMore);
        refresh();
      },
    );
  const begin = () => {
    const chosen = substitute || substitutes[0]?.id;
    if (chosen === undefined || day === "") return;
    // Until the end of that day, by the person's own clock.
    const until = new Date(`${day}T23:59:59`).toISOString();
    void saving.run(() => work.setAbsence.mutate({ absence: { until, substitute_id: chosen } }), refresh);
  };
  return (
    <Section title={t.title}>
      <p className="muted section-lead">{t.explained}</p>
      {saving.error !== null && <Refused error={saving.error} />}
      {absence ? (
        <div className="button-row">
          <span>
            <Trans
              sentence={t.away}
              time={<Time at={absence.until} form="absolute" />}
              name={<Data>{substitutes.find(({ id }) => id === absence.substitute_id)?.name ?? t.formerColleague}</Data>}
            />
          </span>
          <Button onClick={end} pending={saving.pending}>
            {t.end}
          </Button>
        </div>
      ) : substitutes.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <form
          className="form wish-form"
          onSubmit={(event) => {
            event.preventDefault();
            begin();
          }}
        >
          <Select
            label={t.substitute}
            choices={substitutes.map(({ id, name }) => ({ value: id, label: name, origin: "data" as const }))}
            value={substitute || (substitutes[0]?.id ?? "")}
            onChange={({ target }) => setSubstitute(target.value)}
          />
          <TextField
            label={t.until}
            type="date"
            required
            hint={t.untilWanted}
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
          <div>
            <Button type="submit" pending={saving.pending}>
              {t.save}
            </Button>
          </div>
        </form>
      )}
    </Section>
  );
}

import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { Select, TextField } from "../../../_components/controls/field.tsx";
import { Time } from "../../../_components/controls/values.tsx";
import { Refused } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { download } from "../../../_format/download.ts";
import { Data, useTranslations } from "../../../_words/words.ts";
import { INCIDENT } from "../words.ts";
import { useAdding } from "./use-adding.ts";

/** Who did what, in order; and a note of one's own. */
export function Timeline({ incident, mayAct }: { incident: Answers["incidents"]["byId"]; mayAct: boolean }) {
  const t = useTranslations(INCIDENT);
  const { add, pending, error } = useAdding(incident.id);
  const [note, setNote] = useState("");
  const [about, setAbout] = useState("");
  const { id, entries, trouble, detail, began_at, ended_at, disruptions } = incident;
  const disruption = disruptions.find((each) => each.id === about);
  const exported = () =>
    download(`${id}.json`, [JSON.stringify({ id, trouble, detail, began_at, ended_at, entries }, null, 2)], "application/json");
  return (
    <Section title={t.timeline} aside={<Button onClick={exported}>{t.export}</Button>}>
      <ol className="incident-timeline" aria-label={t.timeline}>
        {entries.map(({ kind, by, at, text }) => (
          <li key={`${kind} ${at} ${text}`}>
            <Time at={at} form="absolute" /> <strong>{t.kinds[kind](by)}</strong> {text !== null && <Data>{text}</Data>}
          </li>
        ))}
      </ol>
      {error !== null && <Refused error={error} />}
      {mayAct && ended_at === null && (
        <form
          className="form wish-form"
          onSubmit={(event) => {
            event.preventDefault();
            const text = note.trim();
            if (text === "") return;
            const addition = disruption
              ? { kind: "published" as const, text, disruption_id: disruption.id }
              : { kind: "noted" as const, text };
            add(addition, () => setNote(""));
          }}
        >
          <TextField
            label={t.note}
            hint={t.noteHint}
            maxLength={disruption ? 500 : 1_000}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
          {disruptions.length > 0 && (
            <Select
              label={t.publish}
              hint={t.publishHint}
              value={disruption?.id ?? ""}
              choices={[
                { value: "", label: t.notPublished },
                ...disruptions.map((each) => ({ value: each.id, label: each.sentence, origin: "served" as const })),
              ]}
              onChange={({ target }) => setAbout(target.value)}
            />
          )}
          <div>
            <Button type="submit" pending={pending} disabled={note.trim() === ""}>
              {disruption ? t.addPublic : t.addNote}
            </Button>
          </div>
        </form>
      )}
    </Section>
  );
}

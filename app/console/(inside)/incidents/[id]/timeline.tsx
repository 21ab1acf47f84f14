import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { TextField } from "../../../_components/controls/field.tsx";
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
  const { id, entries, trouble, detail, began_at, ended_at } = incident;
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
            if (note.trim() !== "") add({ kind: "noted", text: note.trim() }, () => setNote(""));
          }}
        >
          <TextField label={t.note} hint={t.noteHint} maxLength={1_000} value={note} onChange={({ target }) => setNote(target.value)} />
          <div>
            <Button type="submit" pending={pending} disabled={note.trim() === ""}>
              {t.addNote}
            </Button>
          </div>
        </form>
      )}
    </Section>
  );
}

import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { lazyComponent } from "#app/console/_components/controls/lazy-component.tsx";
import { Time } from "#app/console/_components/controls/values.tsx";
import { auditActorName } from "#domain/audit-sentence.ts";
import { Served, useTranslations } from "../../_words/words.ts";
import { type Entry, Sentence } from "./audit-sentence.tsx";
import { type Column, None, partnerColumn } from "./table.tsx";
import { AUDIT_ENTRIES } from "./words.ts";

const AuditEntry = lazyComponent(() => import("./audit-entry.tsx").then(({ AuditEntry: Loaded }) => Loaded));

/** The audit log as a table of plain sentences; a drawer shows the exact changes of each entry. */
export function useAuditTable(withPartner: boolean) {
  const t = useTranslations(AUDIT_ENTRIES);
  const [shown, setShown] = useState<Entry | null>(null);
  const columns: Column<Entry>[] = [
    { id: "seq", header: t.number, align: "end", cell: ({ seq }) => (seq === null ? <None /> : t.format.count(seq)) },
    { id: "at", header: t.time, cell: ({ at }) => <Time at={at} form="absolute" />, inCard: ({ at }) => <Time at={at} />, card: 1.2 },
    { id: "actor", header: t.who, cell: ({ actor }) => <Served>{auditActorName(actor)}</Served>, card: 1.1 },
    { id: "what", header: t.what, cell: what, card: 2.1 },
    ...partnerColumn<Entry>(withPartner, undefined, t),
    {
      id: "details",
      header: "",
      align: "end",
      card: 2.2,
      cell: (entry) => (
        <Button look="quiet" onClick={() => setShown(entry)} aria-label={t.detailsOf(entry.id)}>
          {t.details}
        </Button>
      ),
    },
  ];
  return {
    columns,
    idOf: ({ id }: Entry) => id,
    open: (entry: Entry) => () => setShown(entry),
    drawer: <AuditEntry open={shown !== null} entry={shown} onClose={() => setShown(null)} />,
  };
}

/** The sentence, and its reason below it where there is one. */
function what(entry: Entry) {
  return (
    <span className="audit-what">
      <Sentence entry={entry} />
      {entry.reason !== null && (
        <span className="muted" title={entry.reason} translate="no">
          “{entry.reason}”
        </span>
      )}
    </span>
  );
}

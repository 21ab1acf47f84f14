import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { lazyComponent } from "#app/console/_components/controls/lazy-component.tsx";
import { Time } from "#app/console/_components/controls/values.tsx";
import { auditActorName } from "#domain/audit-sentence.ts";
import { Served, useTranslations } from "../../_words/words.ts";
import { type Entry, Sentence } from "./audit-sentence.tsx";
import { type Column, partnerColumn, Short } from "./table.tsx";
import { AUDIT_ENTRIES } from "./words.ts";

const AuditEntry = lazyComponent(() => import("./audit-entry.tsx").then(({ AuditEntry: Loaded }) => Loaded));

/** The audit log as a table of plain sentences; a drawer shows the exact changes of each entry. */
export function useAuditTable(withPartner: boolean) {
  const t = useTranslations(AUDIT_ENTRIES);
  const [shown, setShown] = useState<Entry | null>(null);
  const columns: Column<Entry>[] = [
    { id: "at", header: t.time, cell: ({ at }) => <Time at={at} form="absolute" />, inCard: ({ at }) => <Time at={at} />, card: 1.2 },
    { id: "actor", header: t.who, cell: ({ actor }) => <Served>{auditActorName(actor)}</Served>, card: 1.1 },
    { id: "what", header: t.what, cell: (entry) => <Sentence entry={entry} />, card: 2.1 },
    ...partnerColumn<Entry>(withPartner, undefined, t),
    { id: "reason", header: t.reason, cell: ({ reason }) => <Short text={reason} />, inCard: quoted, card: 3 },
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

const quoted = ({ reason }: Entry) =>
  reason !== null && (
    <p className="muted" translate="no">
      “{reason}”
    </p>
  );

import Link from "next/link";
import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { Id, KeyValues, Time } from "#app/console/_components/controls/values.tsx";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";
import { Note, Scroll } from "#app/console/_components/frame/page-parts.tsx";
import { auditActorName } from "#domain/audit-sentence.ts";
import type { Answers } from "#server/console/router.ts";
import { type Column, None, partnerColumn, Short } from "./table.tsx";

type Entry = Answers["audit"]["list"]["data"][number];

/** The audit log as a table of plain sentences; each entry opens to what exactly changed, in a drawer. */
export function useAuditTable(withPartner: boolean) {
  const [shown, setShown] = useState<Entry | null>(null);
  const columns: Column<Entry>[] = [
    { id: "at", header: "Time", cell: ({ at }) => <Time at={at} form="absolute" />, inCard: ({ at }) => <Time at={at} />, card: 1.2 },
    { id: "actor", header: "Who", cell: ({ actor }) => auditActorName(actor), card: 1.1 },
    { id: "what", header: "What", cell: (entry) => <Sentence entry={entry} />, card: 2.1 },
    ...partnerColumn<Entry>(withPartner),
    { id: "reason", header: "Reason", cell: ({ reason }) => <Short text={reason} />, inCard: quoted, card: 3 },
    {
      id: "details",
      header: "",
      align: "end",
      card: 2.2,
      cell: (entry) => (
        <Button look="quiet" onClick={() => setShown(entry)} aria-label={`Details of ${entry.id}`}>
          Details
        </Button>
      ),
    },
  ];
  return {
    columns,
    idOf: ({ id }: Entry) => id,
    open: (entry: Entry) => () => setShown(entry),
    drawer: (
      <Dialog open={shown !== null} onOpenChange={(open) => !open && setShown(null)} title="What was recorded" shape="drawer">
        {shown && <Recorded entry={shown} />}
      </Dialog>
    ),
  };
}

const quoted = ({ reason }: Entry) => reason !== null && <p className="muted">“{reason}”</p>;

function Sentence({ entry: { sentence, object, action } }: { entry: Entry }) {
  return (
    <span className="sentence">
      {sentence.before} {sentence.mentions && <ObjectName id={object.id} name={object.name} action={action} />} {sentence.after}
    </span>
  );
}

const HOMES: readonly [of: RegExp, home: string][] = [
  [/^tx_/, "/console/settlements"],
  [/^(wd|tu)_/, "/console/fiat"],
];
const BY_KIND: Record<string, string> = { partner: "/console/partners", member: "/console/members" };

/** The thing by its name, leading to its own page where it has one. */
function ObjectName({ id, name, action }: { id: string; name: string | null; action: string }) {
  const home = HOMES.find(([of]) => of.test(id))?.[1] ?? BY_KIND[action.split(".")[0] ?? ""];
  if (name !== null) {
    return home === undefined ? <strong>{name}</strong> : <Link href={`${home}/${id}`}>{name}</Link>;
  }
  return <Id value={id} what="id" copy={false} {...(home !== undefined && { href: `${home}/${id}` })} />;
}

function Recorded({ entry }: { entry: Entry }) {
  const { differences, request_id, seq, partner } = entry;
  return (
    <>
      <p>
        <strong>{auditActorName(entry.actor)}</strong> <Sentence entry={entry} />
      </p>
      {entry.reason && <Note>“{entry.reason}”</Note>}
      <KeyValues
        items={[
          { key: "Time", value: <Time at={entry.at} form="absolute" /> },
          { key: "Action", value: <code>{entry.action}</code> },
          { key: "Object", value: <Id value={entry.object.id} what="object id" full /> },
          partner && { key: "Partner", value: partner.name },
          request_id !== null && { key: "Request", value: <Id value={request_id} what="request id" full /> },
          { key: "Entry", value: <Id value={entry.id} what="entry id" full /> },
          { key: "Seal", value: seq === null ? "Waits for its seal" : `#${seq.toLocaleString("en")}` },
        ]}
      />
      {differences.length > 0 && (
        <Scroll label="What changed">
          <table className="compare">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row">{field.replaceAll("_", " ")}</th>
                  <td className="diff-value">{before ?? <None />}</td>
                  <td className="diff-value">{after ?? <None />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}

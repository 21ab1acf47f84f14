"use client";

import Link from "next/link";
import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { Id } from "#app/console/_components/controls/id.tsx";
import { KeyValues } from "#app/console/_components/controls/key-values.tsx";
import { Time } from "#app/console/_components/controls/time.tsx";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";
import { Scroll } from "#app/console/_components/frame/page-header.tsx";
import { auditActorName } from "#domain/audit-sentence.ts";
import type { Answers } from "#server/console/router.ts";
import type { Column } from "./table.tsx";
import { None, Short } from "./words.tsx";

type Entry = Answers["audit"]["list"]["data"][number];

/** The audit log as a table of plain sentences; each entry opens to what exactly changed, in a drawer. */
export function useAuditTable(withPartner: boolean) {
  const [shown, setShown] = useState<Entry | null>(null);
  const columns: Column<Entry>[] = [
    { id: "at", header: "Time", cell: ({ at }) => <Time at={at} form="absolute" /> },
    { id: "actor", header: "Who", cell: ({ actor }) => auditActorName(actor) },
    { id: "what", header: "What", cell: (entry) => <Sentence entry={entry} /> },
    ...(withPartner ? [{ id: "partner", header: "Partner", cell: ({ partner }: Entry) => partner?.name ?? <None /> }] : []),
    { id: "reason", header: "Reason", cell: ({ reason }) => <Short text={reason} /> },
    {
      id: "details",
      header: "",
      align: "end",
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
    card: (entry: Entry) => <Card entry={entry} onOpen={() => setShown(entry)} />,
    open: (entry: Entry) => () => setShown(entry),
    drawer: (
      <Dialog open={shown !== null} onOpenChange={(open) => !open && setShown(null)} title="What was recorded" shape="drawer">
        {shown && <Recorded entry={shown} />}
      </Dialog>
    ),
  };
}

function Card({ entry, onOpen }: { entry: Entry; onOpen: () => void }) {
  return (
    <>
      <div className="card-line">
        <span>{auditActorName(entry.actor)}</span>
        <Time at={entry.at} />
      </div>
      <div className="card-line">
        <Sentence entry={entry} />
        <Button look="quiet" onClick={onOpen} aria-label={`Details of ${entry.id}`}>
          Details
        </Button>
      </div>
      {entry.reason && <p className="muted">“{entry.reason}”</p>}
    </>
  );
}

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
      {entry.reason && <p className="note">“{entry.reason}”</p>}
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

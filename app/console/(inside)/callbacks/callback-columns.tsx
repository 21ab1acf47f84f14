import { Id } from "../../_components/controls/id.tsx";
import { Badge } from "../../_components/controls/status-badge.tsx";
import { Time } from "../../_components/controls/time.tsx";
import type { Column } from "../../_components/lists/table.tsx";
import { None, Short } from "../../_components/lists/words.tsx";
import type { CallbackRow } from "./answers.ts";
import { AttemptDots } from "./attempt-rail.tsx";
import { EVENT_WORDS, signOf, subjectPage } from "./words.ts";

export type Row = CallbackRow;

export function callbackColumns(isOperator: boolean): Column<Row>[] {
  return [
    { id: "state", header: "State", cell: (row) => <Badge {...signOf(row)} /> },
    { id: "id", header: "Callback", cell: ({ id }) => <Id value={id} what="callback" href={`/console/callbacks/${id}`} copy={false} /> },
    { id: "event", header: "Event", cell: ({ event }) => EVENT_WORDS[event] ?? event },
    { id: "subject", header: "About", cell: ({ subject_id }) => <Id value={subject_id} what="id" href={subjectPage(subject_id)} /> },
    ...(isOperator ? [{ id: "partner", header: "Partner", cell: ({ partner }: Row) => partner.name }] : []),
    { id: "receiver", header: "Receiver", cell: ({ callback_url }) => <Short text={hostOf(callback_url)} title={callback_url} /> },
    { id: "attempts", header: "Attempts", cell: ({ marks }) => <AttemptDots marks={marks} /> },
    { id: "then", header: "Next or ended", cell: (row) => <Then row={row} /> },
    { id: "created", header: "Created", cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

function Then({ row: { next_attempt_at, delivered_at, undelivered_at } }: { row: Row }) {
  const at = next_attempt_at ?? delivered_at ?? undelivered_at;
  return at === null ? <None /> : <Time at={at} />;
}

/** A row on a phone. */
export function CallbackCardLines({ row, isOperator }: { row: Row; isOperator: boolean }) {
  return (
    <>
      <div className="card-line">
        <Badge {...signOf(row)} />
        <Time at={row.created_at} />
      </div>
      <div className="card-line">
        <span>{EVENT_WORDS[row.event] ?? row.event}</span>
        <AttemptDots marks={row.marks} />
      </div>
      <div className="card-line">
        <Id value={row.id} what="callback" href={`/console/callbacks/${row.id}`} copy={false} />
        <Short text={hostOf(row.callback_url)} title={row.callback_url} />
        {isOperator && <span className="muted short">{row.partner.name}</span>}
      </div>
    </>
  );
}

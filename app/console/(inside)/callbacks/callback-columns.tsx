import { Badge, Id, Time } from "../../_components/controls/values.tsx";
import { type Column, None, partnerColumn, Short } from "../../_components/lists/table.tsx";
import type { CallbackRow } from "./answers.ts";
import { AttemptDots } from "./attempt-rail.tsx";
import { EVENT_WORDS, signOf, subjectPage } from "./words.ts";

export type Row = CallbackRow;

export function callbackColumns(isOperator: boolean): Column<Row>[] {
  return [
    { id: "state", header: "State", cell: (row) => <Badge {...signOf(row)} />, card: 1.1 },
    {
      ...{ id: "id", header: "Callback", card: 3.1 },
      cell: ({ id }) => <Id value={id} what="callback" href={`/console/callbacks/${id}`} copy={false} />,
    },
    { id: "event", header: "Event", cell: ({ event }) => EVENT_WORDS[event] ?? event, card: 2.1 },
    { id: "subject", header: "About", cell: ({ subject_id }) => <Id value={subject_id} what="id" href={subjectPage(subject_id)} /> },
    ...partnerColumn<Row>(isOperator, 3.3),
    {
      ...{ id: "receiver", header: "Receiver", card: 3.2 },
      cell: ({ callback_url }) => <Short text={hostOf(callback_url)} title={callback_url} />,
    },
    { id: "attempts", header: "Attempts", cell: ({ marks }) => <AttemptDots marks={marks} />, card: 2.2 },
    { id: "then", header: "Next or ended", cell: (row) => <Then row={row} /> },
    { id: "created", header: "Created", cell: ({ created_at }) => <Time at={created_at} />, card: 1.2 },
  ];
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

function Then({ row: { next_attempt_at, delivered_at, undelivered_at } }: { row: Row }) {
  const at = next_attempt_at ?? delivered_at ?? undelivered_at;
  return at === null ? <None /> : <Time at={at} />;
}

import { Badge, Id, Time } from "../../_components/controls/values.tsx";
import { type Column, None, partnerColumn, Short } from "../../_components/lists/table.tsx";
import type { CallbackRow } from "./answers.ts";
import { AttemptDots } from "./attempt-rail.tsx";
import { Due } from "./due.tsx";
import type { CALLBACK_COLUMNS } from "./list-words.ts";
import { signOf, subjectPage } from "./signs.ts";
import type { CALLBACK_WORDS, EVENT_WORDS } from "./state-words.ts";

type Translations = typeof CALLBACK_COLUMNS & typeof CALLBACK_WORDS & { events: typeof EVENT_WORDS };

export type Row = CallbackRow;

export function callbackColumns(isOperator: boolean, t: Translations): Column<Row>[] {
  return [
    { id: "state", header: t.state, cell: (row) => <Badge {...signOf(row, t)} />, card: 1.1 },
    {
      id: "id",
      header: t.callback,
      card: 3.1,
      cell: ({ id }) => <Id value={id} what={t.callbackNoun} href={`/console/callbacks/${id}`} copy={false} />,
    },
    { id: "event", header: t.event, cell: ({ event }) => t.events[event] ?? event, card: 2.1 },
    {
      id: "subject",
      header: t.about,
      cell: ({ subject_id }) => <Id value={subject_id} what={t.id} href={subjectPage(subject_id)} />,
    },
    ...partnerColumn<Row>(isOperator, 3.3, t),
    {
      id: "receiver",
      header: t.receiver,
      card: 3.2,
      cell: ({ callback_url }) => <Short text={hostOf(callback_url)} title={callback_url} />,
    },
    { id: "attempts", header: t.attempts, cell: ({ marks }) => <AttemptDots marks={marks} />, card: 2.2 },
    { id: "then", header: t.nextOrEnded, cell: (row) => <Then row={row} /> },
    { id: "created", header: t.created, cell: ({ created_at }) => <Time at={created_at} />, card: 1.2 },
  ];
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

function Then({ row: { next_attempt_at, delivered_at, undelivered_at } }: { row: Row }) {
  if (next_attempt_at !== null) return <Due at={next_attempt_at} />;
  const at = delivered_at ?? undelivered_at;
  return at === null ? <None /> : <Time at={at} />;
}

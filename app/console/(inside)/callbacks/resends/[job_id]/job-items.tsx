import { Ban, Check, CircleDashed, RotateCw, SendHorizontal } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Badge, Id, Time } from "../../../../_components/controls/values.tsx";
import { type Column, None, Table } from "../../../../_components/lists/table.tsx";
import { statusLine, subjectPage } from "../../words.ts";

type Item = Answers["callbacks"]["job"]["items"][number];

const SIGNS = {
  queued: { word: "Queued", icon: CircleDashed, tone: "quoted" },
  retrying: { word: "Retrying", icon: RotateCw, tone: "pending" },
  delivered: { word: "Delivered", icon: Check, tone: "executed" },
  undelivered: { word: "Undelivered", icon: SendHorizontal, tone: "undelivered" },
  resent_again: { word: "Resent again", icon: RotateCw, tone: "cancelled" },
  skipped: { word: "Skipped", icon: Ban, tone: "cancelled" },
} as const;

/** What became of each callback of a job. */
export function JobItems({ items }: { items: readonly Item[] }) {
  return <Table caption="Callbacks of this resend" columns={COLUMNS} rows={items} keyOf={({ callback_id }) => callback_id} />;
}

const COLUMNS: readonly Column<Item>[] = [
  { id: "state", header: "State", cell: ({ state }) => <Badge {...SIGNS[state]} />, card: 1.1 },
  {
    ...{ id: "callback", header: "Callback", card: 1.2 },
    cell: ({ callback_id: id }) => <Id value={id} what="callback" href={`/console/callbacks/${id}`} copy={false} />,
  },
  {
    id: "subject",
    header: "About",
    cell: ({ subject_id }) => <Id value={subject_id} what="id" href={subjectPage(subject_id)} copy={false} />,
  },
  { id: "attempts", header: "Attempts", cell: ({ attempts }) => `${attempts}/6`, card: 2.1, aside: true },
  { id: "met", header: "Last answer", cell: met, card: 2.2, aside: true },
  { id: "next", header: "Next attempt", cell: ({ next_attempt_at: at }) => (at ? <Time at={at} /> : <None />) },
];

function met({ response_status, error }: Item) {
  return response_status === null ? (error ?? <None />) : statusLine(response_status);
}

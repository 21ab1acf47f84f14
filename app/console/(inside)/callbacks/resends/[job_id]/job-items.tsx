import { Ban, Check, CircleDashed, RotateCw, SendHorizontal } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Id } from "../../../../_components/controls/id.tsx";
import { Badge } from "../../../../_components/controls/status-badge.tsx";
import { Time } from "../../../../_components/controls/time.tsx";
import { type Column, Table } from "../../../../_components/lists/table.tsx";
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
  return <Table caption="Callbacks of this resend" columns={COLUMNS} rows={items} keyOf={({ callback_id }) => callback_id} card={Card} />;
}

const COLUMNS: readonly Column<Item>[] = [
  { id: "state", header: "State", cell: ({ state }) => <Badge {...SIGNS[state]} /> },
  { id: "callback", header: "Callback", cell: (item) => <Callback item={item} /> },
  {
    id: "subject",
    header: "About",
    cell: ({ subject_id }) => <Id value={subject_id} what="id" href={subjectPage(subject_id)} copy={false} />,
  },
  { id: "attempts", header: "Attempts", cell: ({ attempts }) => `${attempts}/6` },
  { id: "met", header: "Last answer", cell: (item) => <Met item={item} /> },
  { id: "next", header: "Next attempt", cell: ({ next_attempt_at: at }) => (at ? <Time at={at} /> : <span className="none">–</span>) },
];

function Callback({ item: { callback_id: id } }: { item: Item }) {
  return <Id value={id} what="callback" href={`/console/callbacks/${id}`} copy={false} />;
}

function Met({ item: { response_status, error } }: { item: Item }) {
  if (response_status !== null) return statusLine(response_status);
  return error ?? <span className="none">–</span>;
}

function Card(item: Item) {
  return (
    <>
      <div className="card-line">
        <Badge {...SIGNS[item.state]} />
        <Callback item={item} />
      </div>
      <div className="card-line muted">
        <span>{item.attempts}/6</span>
        <Met item={item} />
      </div>
    </>
  );
}

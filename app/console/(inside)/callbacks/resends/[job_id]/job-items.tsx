import { Ban, Check, CircleDashed, RotateCw, SendHorizontal } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Badge, Id } from "../../../../_components/controls/values.tsx";
import { type Column, None, Table } from "../../../../_components/lists/table.tsx";
import { Served } from "../../../../_words/served.tsx";
import { Data } from "../../../../_words/told.tsx";
import { useWords } from "../../../../_words/words.ts";
import { Due } from "../../due.tsx";
import { statusLine, subjectPage } from "../../signs.ts";
import { JOB_ITEMS } from "./words.ts";

type Says = typeof JOB_ITEMS;

type Item = Answers["callbacks"]["job"]["items"][number];

const signsOf = (says: Says) =>
  ({
    queued: { word: says.queued, icon: CircleDashed, tone: "quoted" },
    retrying: { word: says.retrying, icon: RotateCw, tone: "pending" },
    delivered: { word: says.delivered, icon: Check, tone: "executed" },
    undelivered: { word: says.undelivered, icon: SendHorizontal, tone: "undelivered" },
    resent_again: { word: says.resentAgain, icon: RotateCw, tone: "cancelled" },
    skipped: { word: says.skipped, icon: Ban, tone: "cancelled" },
  }) as const;

/** What became of each callback of a job. */
export function JobItems({ items }: { items: readonly Item[] }) {
  const says = useWords(JOB_ITEMS);
  return <Table caption={says.callbacksResend} columns={columnsOf(says)} rows={items} keyOf={({ callback_id }) => callback_id} />;
}

const columnsOf = (says: Says): readonly Column<Item>[] => [
  { id: "state", header: says.state, cell: ({ state }) => <Badge {...signsOf(says)[state]} />, card: 1.1 },
  {
    ...{ id: "callback", header: says.callback, card: 1.2 },
    cell: ({ callback_id: id }) => <Id value={id} what={says.callback2} href={`/console/callbacks/${id}`} copy={false} />,
  },
  {
    id: "subject",
    header: says.about,
    cell: ({ subject_id }) => <Id value={subject_id} what={says.id} href={subjectPage(subject_id)} copy={false} />,
  },
  { id: "attempts", header: says.attempts, cell: ({ attempts }) => `${attempts}/6`, card: 2.1, aside: true },
  { id: "met", header: says.lastAnswer, cell: met, card: 2.2, aside: true },
  { id: "next", header: says.nextAttempt, cell: ({ next_attempt_at: at }) => (at ? <Due at={at} /> : <None />) },
];

function met({ response_status, error }: Item) {
  if (response_status !== null) return <Data>{statusLine(response_status)}</Data>;
  return error === null ? <None /> : <Served>{error}</Served>;
}

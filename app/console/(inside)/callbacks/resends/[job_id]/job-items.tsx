import { Ban, Check, CircleDashed, RotateCw, SendHorizontal } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Badge, Id } from "../../../../_components/controls/values.tsx";
import { type Column, None, Table } from "../../../../_components/lists/table.tsx";
import { Data, Served, useTranslations, type WithShared } from "../../../../_words/words.ts";
import { Due } from "../../due.tsx";
import { statusLine, subjectPage } from "../../signs.ts";
import { JOB_ITEMS } from "./words.ts";

type Translations = WithShared<typeof JOB_ITEMS>;

type Item = Answers["callbacks"]["job"]["items"][number];

const signsOf = (t: Translations) =>
  ({
    queued: { word: t.queued, icon: CircleDashed, tone: "quoted" },
    retrying: { word: t.retrying, icon: RotateCw, tone: "pending" },
    delivered: { word: t.delivered, icon: Check, tone: "executed" },
    undelivered: { word: t.undelivered, icon: SendHorizontal, tone: "undelivered" },
    resent_again: { word: t.resentAgain, icon: RotateCw, tone: "cancelled" },
    skipped: { word: t.skipped, icon: Ban, tone: "cancelled" },
  }) as const;

/** The outcome of each callback of a job. */
export function JobItems({ items }: { items: readonly Item[] }) {
  const t = useTranslations(JOB_ITEMS);
  return <Table caption={t.caption} columns={columnsOf(t)} rows={items} keyOf={({ callback_id }) => callback_id} />;
}

const columnsOf = (t: Translations): readonly Column<Item>[] => [
  { id: "state", header: t.state, cell: ({ state }) => <Badge {...signsOf(t)[state]} />, card: 1.1 },
  {
    id: "callback",
    header: t.callback,
    card: 1.2,
    cell: ({ callback_id: id }) => <Id value={id} what={t.callbackNoun} href={`/console/callbacks/${id}`} copy={false} />,
  },
  {
    id: "subject",
    header: t.about,
    cell: ({ subject_id }) => <Id value={subject_id} what={t.id} href={subjectPage(subject_id)} copy={false} />,
  },
  { id: "attempts", header: t.attempts, cell: ({ attempts }) => `${attempts}/6`, card: 2.1, aside: true },
  { id: "met", header: t.lastAnswer, cell: met, card: 2.2, aside: true },
  { id: "next", header: t.nextAttempt, cell: ({ next_attempt_at: at }) => (at ? <Due at={at} /> : <None />) },
];

function met({ response_status, error }: Item) {
  if (response_status !== null) return <Data>{statusLine(response_status)}</Data>;
  return error === null ? <None /> : <Served>{error}</Served>;
}

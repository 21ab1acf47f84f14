import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Empty, QueryBoundary } from "../../_components/lists/list-states.tsx";
import { type Column, partnerColumn, Short, Table } from "../../_components/lists/table.tsx";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { WaitingBatch } from "./answers.ts";
import { BatchDialog } from "./batch-dialog.tsx";
import { Totals } from "./batch-totals.tsx";
import { BATCHES_TAB } from "./batch-words.ts";
import { Waiting } from "./waiting.tsx";

type Translations = typeof BATCHES_TAB;

const columnsOf = (t: Translations, onOpen: ((batch: WaitingBatch) => void) | null): readonly Column<WaitingBatch>[] => [
  {
    id: "batch",
    header: t.batch,
    pinned: true,
    card: 1.1,
    cell: ({ external_batch_id }) => <Short text={external_batch_id} />,
    inCard: ({ external_batch_id }) => <strong translate="no">{external_batch_id}</strong>,
  },
  ...partnerColumn<WaitingBatch>(true, 2.1),
  {
    id: "items",
    header: t.items,
    card: 2.2,
    align: "end",
    cell: ({ item_count }) => item_count,
    inCard: ({ item_count }) => t.itemCount(item_count),
  },
  { id: "totals", header: t.totals, card: 3.1, align: "end", cell: (batch) => <Totals of={batch} /> },
  { id: "waiting", header: t.waits, card: 1.2, cell: ({ created_at }) => <Waiting since={created_at} /> },
  { id: "given", header: t.approvals, card: 4.1, cell: (batch) => t.given(batch.approvals_given, batch.approvals_needed) },
  ...(onOpen === null
    ? []
    : [
        {
          id: "act",
          header: "",
          card: 5.1,
          pinned: "end" as const,
          cell: (batch: WaitingBatch) => <Button onClick={() => onOpen(batch)}>{t.review}</Button>,
        },
      ]),
];

/** Batches that await a decision. All items of one are decided at once. */
export function BatchesTab({ mayDecide }: { mayDecide: boolean }) {
  const t = useTranslations(BATCHES_TAB);
  const { approvals } = useTRPC();
  const toast = useToast();
  const answer = useAnswer(useQuery(approvals.batches.queryOptions(undefined, { refetchInterval: 15_000 })));
  const refresh = useRefresh(approvals.batches.queryKey(), approvals.counts.queryKey());
  const [chosen, setChosen] = useState<WaitingBatch | null>(null);
  return (
    <QueryBoundary of={answer}>
      {({ data }) => {
        const fresh = data.find(({ batch_id }) => batch_id === chosen?.batch_id);
        return (
          <>
            {data.length === 0 ? (
              <Empty title={t.none}>{t.whatComesHere}</Empty>
            ) : (
              <Table
                caption={t.caption}
                columns={columnsOf(t, mayDecide ? setChosen : null)}
                rows={data}
                keyOf={({ batch_id }) => batch_id}
              />
            )}
            {chosen && (
              <BatchDialog
                batch={fresh ?? chosen}
                isDecided={fresh === undefined}
                onClose={() => setChosen(null)}
                onDecided={(title) => {
                  toast(title, chosen.external_batch_id);
                  refresh();
                }}
              />
            )}
          </>
        );
      }}
    </QueryBoundary>
  );
}

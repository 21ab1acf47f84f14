import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { Empty, QueryBoundary } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { WaitingBatch } from "./answers.ts";
import { Totals } from "./batch-totals.tsx";
import { BATCHES_TAB } from "./batch-words.ts";
import { focusPanel } from "./focus-panel.ts";
import type { What } from "./foot-parts.tsx";
import { Waiting } from "./waiting.tsx";
import { USE_QUEUE } from "./words.ts";

const BatchPanel = lazyComponent(() => import("./batch-panel.tsx").then(({ BatchPanel: Loaded }) => Loaded));

type Props = { mayDecide: boolean; chosen: string | null; onChoose: (id: string | null) => void };

/** Batches that await a decision, with the panel of the chosen one. All items of one are decided at once. */
export function BatchesTab({ mayDecide, chosen, onChoose }: Props) {
  const t = useTranslations(BATCHES_TAB);
  const answer = useAnswer(useQuery(useTRPC().approvals.batches.queryOptions(undefined, { refetchInterval: 15_000 })));
  return (
    <QueryBoundary of={answer}>
      {({ data }) => (
        <Listed
          batches={data}
          empty={<Empty title={t.none}>{t.whatComesHere}</Empty>}
          mayDecide={mayDecide}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </QueryBoundary>
  );
}

function Listed({ batches, empty, mayDecide, chosen, onChoose }: Props & { batches: readonly WaitingBatch[]; empty: ReactNode }) {
  const [t, keys] = [useTranslations(BATCHES_TAB), useTranslations(USE_QUEUE)];
  const { approvals } = useTRPC();
  const toast = useToast();
  const refresh = useRefresh(approvals.batches.queryKey(), approvals.counts.queryKey());
  // An open decision keeps its batch in the panel, also when somebody else has decided it and it is no longer listed.
  const [open, setOpen] = useState<{ what: What; batch: WaitingBatch } | null>(null);
  const current = batches.find(({ batch_id }) => batch_id === chosen) ?? batches[0];
  const listed = open === null ? current : batches.find(({ batch_id }) => batch_id === open.batch.batch_id);
  const shown = listed ?? open?.batch;
  const decide = (what: What | null) => setOpen(what === null || shown === undefined ? null : { what, batch: shown });
  const mayApprove = shown !== undefined && !shown.waits_for_others && shown.expected_total !== null;
  useShortcut("a", keys.approve, () => decide("approve"), mayDecide && mayApprove);
  useShortcut("r", keys.reject, () => decide("reject"), mayDecide && shown !== undefined);
  const isChosen = open !== null || batches.some(({ batch_id }) => batch_id === chosen);
  if (shown === undefined) return empty;
  return (
    <div className="queue" data-open={isChosen || undefined}>
      <ul className="queue-side queue-list" aria-label={t.caption}>
        {batches.map((batch) => (
          <li key={batch.batch_id} className="queue-item" data-chosen={batch === shown || undefined}>
            <button
              type="button"
              id={`row-${batch.batch_id}`}
              className="queue-row"
              aria-current={batch === shown ? "true" : undefined}
              onClick={() => {
                if (batch !== shown) setOpen(null);
                onChoose(batch.batch_id);
                requestAnimationFrame(focusPanel);
              }}
            >
              <span className="queue-line">
                <strong>
                  <Data>{batch.external_batch_id}</Data>
                </strong>
                <Waiting since={batch.created_at} />
              </span>
              <Totals of={batch} />
              <span className="queue-who">
                <Data>{batch.partner.name}</Data>
              </span>
              <span className="queue-chips small muted">
                {t.itemCount(batch.item_count)} · {t.given(batch.approvals_given, batch.approvals_needed)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <BatchPanel
        key={shown.batch_id}
        batch={shown}
        mayDecide={mayDecide}
        isDecided={listed === undefined}
        deciding={open?.what ?? null}
        onDecide={decide}
        onDecided={(title, hasLeft) => {
          toast(title, shown.external_batch_id);
          refresh();
          if (!hasLeft) setOpen(null);
        }}
        onBack={() => {
          setOpen(null);
          onChoose(null);
          requestAnimationFrame(() => document.getElementById(`row-${shown.batch_id}`)?.focus());
        }}
      />
    </div>
  );
}

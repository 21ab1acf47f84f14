import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Note } from "../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { QueryBoundary } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { WaitingBatch } from "./answers.ts";
import { BatchFoot } from "./batch-foot.tsx";
import { BatchHints, countsOf, ItemTable } from "./batch-items.tsx";
import { Totals } from "./batch-totals.tsx";
import { BATCH_PANEL } from "./batch-words.ts";
import { focusPanel } from "./focus-panel.ts";
import type { What } from "./foot-parts.tsx";
import { keys } from "./panel.tsx";
import { useDraft } from "./use-draft.ts";
import { useRiskHints } from "./use-risk-hints.ts";
import { Waiting } from "./waiting.tsx";

type Props = {
  batch: WaitingBatch;
  mayDecide: boolean;
  /** It no longer waits: somebody else has decided it, or its partner has cancelled it. */
  isDecided: boolean;
  deciding: What | null;
  onDecide: (what: What | null) => void;
  /** With what was done, in words. `hasLeft`: another batch is in the panel by now. */
  onDecided: (what: string, hasLeft: boolean) => void;
  onBack: () => void;
};

/** The decision on a batch: its sums, its warnings, all of its items, and at the foot one approval or rejection of all of them. */
export function BatchPanel({ batch, mayDecide, isDecided, deciding, onDecide, onDecided, onBack }: Props) {
  const t = useTranslations(BATCH_PANEL);
  const id = batch.batch_id;
  const { draft, change, forget } = useDraft(id);
  const answer = useAnswer(useQuery(useTRPC().approvals.batchItems.queryOptions({ batch_id: id })));
  const items = answer.data?.data ?? [];
  const hints = useRiskHints(items.map(({ settlement }) => settlement.tx_id));
  const counts = answer.data && hints.size >= items.length ? countsOf(hints) : null;
  useEffect(() => {
    if (deciding !== null) focusPanel();
  }, [deciding]);
  const missing = counts === null ? null : [...counts.keys()].filter((kind) => !draft.ticked.includes(kind)).length;
  const close = () => onDecide(null);
  useShortcut("Escape", t.closeDecision, close, deciding !== null);
  const done = (what: string, hasLeft: boolean) => {
    forget();
    onDecided(what, hasLeft);
  };
  const foot = { batch, isDecided, draft, change, onClose: close, onDecided: done };
  return (
    <section
      className="review"
      aria-label={t.label}
      data-about={batch.external_batch_id}
      onKeyDown={(event) => keys(event, deciding === null ? null : close)}
    >
      <div className="review-back">
        <Button look="quiet" icon={ArrowLeft} onClick={onBack}>
          {t.backToList}
        </Button>
      </div>
      <div className="review-body">
        <h2 id="review-heading" tabIndex={-1} className="recipient-who">
          <Data>{batch.partner.name}</Data> <span aria-hidden>→</span> <Data>{batch.external_batch_id}</Data>
        </h2>
        <p className="decision-amount">
          <Totals of={batch} />
        </p>
        <p className="chips">
          <Waiting since={batch.created_at} />
          <span>{t.about(batch.item_count, batch.approvals_given, batch.approvals_needed)}</span>
        </p>
        <QueryBoundary of={answer}>
          {({ data }) => (
            <>
              <BatchHints
                counts={counts}
                checked={hints.size}
                items={data.length}
                ticked={draft.ticked}
                onTick={mayDecide && !isDecided ? (ticked) => change({ ticked }) : null}
              />
              <ItemTable rows={data} hints={hints} caption={t.items} />
            </>
          )}
        </QueryBoundary>
        {batch.obstacle && <Note kind="danger">{batch.obstacle}</Note>}
        {batch.waits_for_others && <Note>{t.waitsForOthers}</Note>}
      </div>
      {mayDecide && (
        <div className="review-foot">
          {deciding === null && (
            <div className="foot-decide">
              <span className="muted small">{isDecided ? t.isDecided : missing !== null && missing > 0 && t.toAcknowledge(missing)}</span>
              <Button look="danger" onClick={() => onDecide("reject")} disabled={isDecided} aria-keyshortcuts="r">
                {t.reject}
              </Button>
              <Button
                look="primary"
                onClick={() => onDecide("approve")}
                disabled={isDecided || batch.waits_for_others || batch.expected_total === null}
                aria-keyshortcuts="a"
              >
                {t.approve}
              </Button>
            </div>
          )}
          {deciding !== null && <BatchFoot key={deciding} what={deciding} counts={counts} missing={missing} {...foot} />}
        </div>
      )}
    </section>
  );
}

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Announcement } from "../../_components/frame/page-parts.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Awaiting, Hint } from "./answers.ts";
import { focusPanel, isNarrow } from "./focus-panel.ts";
import { DecisionPanel } from "./panel.tsx";
import { QueueBar } from "./queue-bar.tsx";
import { QueueRow } from "./queue-row.tsx";
import type { QueueSort } from "./search-params.ts";
import { useQueue } from "./use-queue.ts";
import { useSelection } from "./use-selection.ts";
import { WORK_TAB } from "./words.ts";

const BulkPanel = lazyComponent(() => import("./bulk-panel.tsx").then(({ BulkPanel: Loaded }) => Loaded));

type Props = {
  /** In their order. */
  rows: readonly Awaiting[];
  hints: ReadonlyMap<string, readonly Hint[]>;
  leaving: ReadonlySet<string>;
  forget: (id: string) => void;
  mayDecide: boolean;
  sort: QueueSort;
  onSort: (sort: QueueSort) => void;
  chosen: string | null;
  onChoose: (id: string | null) => void;
  label: string;
};

/** List and decision side by side. Everything works from the keyboard; no single key decides anything. */
export function WorkTab({ rows, hints, leaving, forget, mayDecide, sort, onSort, chosen, onChoose, label }: Props) {
  const t = useTranslations(WORK_TAB);
  const selection = useSelection(rows);
  const [isBulkOpen, setBulkOpen] = useState(false);
  const queue = useQueue({ rows, leaving, forget, mayDecide, chosen, onChoose, onSelect: selection.toggle, onClear: selection.clear });
  const { shown, shownId } = queue;
  const reviewers = useReviews(shownId, mayDecide);
  const choose = (id: string, byKey: boolean) => {
    if (id !== shownId) queue.leave();
    setBulkOpen(false);
    onChoose(id);
    if (byKey || isNarrow()) requestAnimationFrame(focusPanel);
  };
  const closeBulk = () => {
    setBulkOpen(false);
    focusSoon(`row-${shownId ?? ""}`);
  };
  return (
    <>
      <Announcement>{queue.said}</Announcement>
      {(shown || isBulkOpen) && (
        <div className="queue" data-open={queue.isChosen || undefined}>
          <Side
            rows={rows}
            hints={hints}
            leaving={leaving}
            mayDecide={mayDecide}
            label={label}
            sort={sort}
            onSort={onSort}
            shownId={shownId}
            selection={selection}
            reviewers={reviewers}
            onChoose={choose}
            onApprove={() => setBulkOpen(true)}
          />
          {isBulkOpen ? (
            <BulkPanel
              rows={selection.rows}
              hints={hints}
              onClose={closeBulk}
              onDone={(approved) => {
                for (const id of approved) forget(id);
                selection.clear();
                queue.say(t.approved(approved.length));
              }}
            />
          ) : (
            shown && (
              <DecisionPanel
                key={shownId}
                row={shown}
                hints={hints.get(shown.settlement.tx_id)}
                reviewer={reviewers.get(shown.settlement.tx_id)}
                mayDecide={mayDecide}
                leaving={leaving.has(shown.settlement.tx_id)}
                deciding={queue.deciding}
                onDecide={queue.decide}
                onDecided={(outcome, hasLeft) => queue.onDecided(shown, outcome, hasLeft)}
                onBack={() => {
                  queue.leave();
                  onChoose(null);
                  focusSoon(`row-${shown.settlement.tx_id}`);
                }}
              />
            )
          )}
        </div>
      )}
    </>
  );
}

type SideProps = Pick<Props, "rows" | "hints" | "leaving" | "mayDecide" | "label" | "sort" | "onSort"> & {
  shownId: string | undefined;
  selection: ReturnType<typeof useSelection>;
  reviewers: ReadonlyMap<string, string>;
  onChoose: (id: string, byKey: boolean) => void;
  onApprove: () => void;
};

function Side({ rows, hints, leaving, mayDecide, label, sort, onSort, shownId, selection, reviewers, onChoose, onApprove }: SideProps) {
  return (
    <div className="queue-side">
      <QueueBar sort={sort} onSort={onSort} selection={mayDecide ? selection : null} listed={rows.length} onApprove={onApprove} />
      <ul className="queue-list" aria-label={label}>
        {rows.map((row) => {
          const id = row.settlement.tx_id;
          return (
            <QueueRow
              key={id}
              row={row}
              hints={hints.get(id)}
              reviewer={reviewers.get(id)}
              chosen={id === shownId}
              leaving={leaving.has(id)}
              selected={mayDecide ? selection.has(id) : null}
              onSelect={() => selection.toggle(id)}
              onChoose={(byKey) => onChoose(id, byKey)}
            />
          );
        })}
      </ul>
    </div>
  );
}

function focusSoon(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

/** A selection that only passes by claims nothing. */
const LOOKED_MS = 700;
const RENEW_MS = 45_000;

function useReviews(shownId: string | undefined, mayDecide: boolean): ReadonlyMap<string, string> {
  useReviewing(shownId, mayDecide);
  return useOthersReviews();
}

/** Who else is reviewing a settlement right now, by settlement. */
function useOthersReviews(): ReadonlyMap<string, string> {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.approvals.reviews.queryOptions(undefined, { refetchInterval: 60_000 }));
  useLiveChanges(({ action }) => action === "review.changed", useRefresh(trpc.approvals.reviews.queryKey()));
  return useMemo(() => new Map(data?.data.filter(({ is_mine }) => !is_mine).map(({ tx_id, by }) => [tx_id, by])), [data]);
}

/** Shows other users which settlement this user is reviewing. Best effort: a failure has no consequence. */
function useReviewing(txId: string | undefined, mayDecide: boolean): void {
  const trpc = useTRPC();
  const { mutate: claim } = useMutation(trpc.approvals.claim.mutationOptions());
  const { mutate: leave } = useMutation(trpc.approvals.leave.mutationOptions());
  useEffect(() => {
    if (txId === undefined || !mayDecide) return;
    const isSeen = () => document.visibilityState === "visible" && document.getElementById("review-heading")?.offsetParent !== null;
    const claimIt = () => isSeen() && claim({ tx_id: txId });
    const first = setTimeout(claimIt, LOOKED_MS);
    const again = setInterval(claimIt, RENEW_MS);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [txId, mayDecide, claim]);
  useEffect(() => {
    if (!mayDecide) return;
    // A page that unloads cannot wait for an answer.
    const goodbye = () => navigator.sendBeacon("/api/trpc/approvals.leave", new Blob(["{}"], { type: "application/json" }));
    window.addEventListener("pagehide", goodbye);
    return () => {
      window.removeEventListener("pagehide", goodbye);
      leave();
    };
  }, [mayDecide, leave]);
}

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Announcement } from "../../_components/frame/page-parts.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Awaiting, Hint } from "./answers.ts";
import { QueueBar } from "./queue-bar.tsx";
import { QueueRow } from "./queue-row.tsx";
import { Review } from "./review.tsx";
import type { QueueSort } from "./search-params.ts";
import { useQueue } from "./use-queue.ts";
import { useSelection } from "./use-selection.ts";
import { WORK_TAB } from "./words.ts";

const ApproveDialog = lazyComponent(() => import("./approve-dialog.tsx").then(({ ApproveDialog: Loaded }) => Loaded));
const BulkDialog = lazyComponent(() => import("./bulk-dialog.tsx").then(({ BulkDialog: Loaded }) => Loaded));
const RejectDialog = lazyComponent(() => import("./reject-dialog.tsx").then(({ RejectDialog: Loaded }) => Loaded));

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

type Kind = Hint["kind"];

/** List and detail side by side. Everything works from the keyboard; no single key decides anything. */
export function WorkTab({ rows, hints, leaving, forget, mayDecide, sort, onSort, chosen, onChoose, label }: Props) {
  const t = useTranslations(WORK_TAB);
  const selection = useSelection(rows);
  const [isBulkOpen, setBulkOpen] = useState(false);
  const [asked, setAsked] = useState<{ id: string; kind: Kind } | null>(null);
  const queue = useQueue({ rows, leaving, forget, mayDecide, chosen, onChoose, onSelect: selection.toggle, onClear: selection.clear });
  const reviewers = useOthersReviews();
  const { current } = queue;
  useReviewing(current?.settlement.tx_id, mayDecide);
  return (
    <>
      <Announcement>{queue.said}</Announcement>
      {current && (
        <div className="queue" data-open={queue.isChosen || undefined}>
          <div className="queue-side">
            <QueueBar
              sort={sort}
              onSort={onSort}
              selection={mayDecide ? selection : null}
              listed={rows.length}
              onApprove={() => setBulkOpen(true)}
            />
            <ul className="queue-list" aria-label={label}>
              {rows.map((row) => {
                const id = row.settlement.tx_id;
                return (
                  <QueueRow
                    key={id}
                    row={row}
                    hints={hints.get(id)}
                    reviewer={reviewers.get(id)}
                    chosen={row === current}
                    leaving={leaving.has(id)}
                    selected={mayDecide ? selection.has(id) : null}
                    onSelect={() => selection.toggle(id)}
                    onChoose={(byKey) => {
                      onChoose(id);
                      // On a narrow page the detail replaces the list.
                      if (byKey || isNarrow()) focusSoon("review-heading");
                    }}
                    onHint={(kind) => setAsked({ id, kind })}
                  />
                );
              })}
            </ul>
          </div>
          <Review
            key={`${current.settlement.tx_id} ${asked?.id === current.settlement.tx_id ? asked.kind : ""}`}
            row={current}
            hints={hints.get(current.settlement.tx_id)}
            hint={asked?.id === current.settlement.tx_id ? asked.kind : null}
            reviewer={reviewers.get(current.settlement.tx_id)}
            mayDecide={mayDecide}
            leaving={leaving.has(current.settlement.tx_id)}
            onDecide={(what) => queue.decide(what, current)}
            onBack={() => {
              onChoose(null);
              focusSoon(`row-${current.settlement.tx_id}`);
            }}
          />
        </div>
      )}
      <DecisionDialogs queue={queue} />
      <BulkDialog
        rows={selection.rows}
        hints={hints}
        open={isBulkOpen}
        onClose={() => setBulkOpen(false)}
        onDone={(approved) => {
          for (const id of approved) forget(id);
          selection.clear();
          queue.say(t.approved(approved.length));
        }}
      />
    </>
  );
}

function DecisionDialogs({ queue }: { queue: ReturnType<typeof useQueue> }) {
  const { deciding, stop, onDecided, returnFocus } = queue;
  if (deciding === null) return null;
  const shared = { onClose: stop, onDecided, returnFocus };
  return (
    <>
      <ApproveDialog txId={deciding.row.settlement.tx_id} open={deciding.what === "approve"} {...shared} />
      <RejectDialog row={deciding.row} open={deciding.what === "reject"} {...shared} />
    </>
  );
}

function focusSoon(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

function isNarrow(): boolean {
  return window.matchMedia("(max-width: 820px)").matches;
}

/** A selection that only passes by claims nothing. */
const LOOKED_MS = 700;
const RENEW_MS = 45_000;

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

"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { AwaitingApprovalWire } from "#server/contract/console/approval.ts";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/list-states.tsx";
import { useLiveChanges } from "../../_components/live.tsx";
import { PageHeader } from "../../_components/page-header.tsx";
import { useShortcut } from "../../_components/shortcuts.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { ApproveDialog } from "./approve-dialog.tsx";
import { QueueRow } from "./queue-row.tsx";
import { RejectDialog } from "./reject-dialog.tsx";
import { Review } from "./review.tsx";
import { useLingering } from "./use-lingering.ts";

type Deciding = { what: "approve" | "reject"; row: AwaitingApprovalWire };

/** Prices move: what is shown beside each row is no older than this. */
const REPRICE_MS = 15_000;
/** What waits for a decision, the longest waiting first. Everything can be done from the keyboard; nothing is decided by one key. */
export function ApprovalQueue({ mayDecide }: { mayDecide: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const list = useQuery(trpc.approvals.list.queryOptions(undefined, { refetchInterval: REPRICE_MS, placeholderData: keepPreviousData }));
  const { rows, leaving, forget } = useLingering(list.data?.data);
  useLiveChanges(
    ({ action }) => action.startsWith("settlement."),
    () => void queries.invalidateQueries({ queryKey: trpc.approvals.list.queryKey() }),
  );
  const queue = useQueue(rows, leaving, forget, mayDecide);
  const { current, deciding } = queue;
  if (list.isPending) return <Skeleton />;
  return (
    <>
      <PageHeader title={<span tabIndex={-1}>Approvals</span>}>
        {list.data && <span className="muted">{waiting(list.data.data.length, list.data.more)}</span>}
      </PageHeader>
      <p className="sr-only" role="status">
        {queue.said}
      </p>
      {!list.data && <Trouble error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <Empty title="Nothing waiting">Settlements above a pair's maximum come here for a decision.</Empty>
      )}
      {current && (
        <div className="queue">
          <ul className="queue-list" aria-label="Awaiting approval, the longest waiting first">
            {rows.map((row) => (
              <QueueRow
                key={row.settlement.tx_id}
                row={row}
                chosen={row === current}
                leaving={leaving.has(row.settlement.tx_id)}
                onChoose={() => queue.choose(row.settlement.tx_id)}
              />
            ))}
          </ul>
          <Review
            row={current}
            mayDecide={mayDecide}
            leaving={leaving.has(current.settlement.tx_id)}
            onDecide={(what) => queue.decide(what, current)}
          />
        </div>
      )}
      {deciding && (
        <>
          <ApproveDialog
            txId={deciding.row.settlement.tx_id}
            open={deciding.what === "approve"}
            onClose={queue.stop}
            onDecided={queue.onDecided}
            returnFocus={queue.returnFocus}
          />
          <RejectDialog
            row={deciding.row}
            open={deciding.what === "reject"}
            onClose={queue.stop}
            onDecided={queue.onDecided}
            returnFocus={queue.returnFocus}
          />
        </>
      )}
    </>
  );
}

/** Which row is chosen, what is being decided, and the keys for both. */
function useQueue(rows: readonly AwaitingApprovalWire[], leaving: ReadonlySet<string>, forget: (id: string) => void, mayDecide: boolean) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const [said, setSaid] = useState("");
  const index = Math.max(
    0,
    rows.findIndex((row) => row.settlement.tx_id === chosen),
  );
  const current = rows[index];
  const focusRow = (row: AwaitingApprovalWire | undefined) => (row ? document.getElementById(`row-${row.settlement.tx_id}`) : null);
  const go = (step: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))];
    if (!next) return;
    setChosen(next.settlement.tx_id);
    focusRow(next)?.focus();
  };
  const decide = (what: Deciding["what"], row: AwaitingApprovalWire | undefined = current) => {
    if (row && mayDecide && !leaving.has(row.settlement.tx_id)) setDeciding({ what, row });
  };
  useShortcut("j", "Next settlement", () => go(1));
  useShortcut("k", "Settlement before", () => go(-1));
  useShortcut("a", "Approve the chosen settlement", () => decide("approve"), mayDecide && current !== undefined);
  useShortcut("r", "Reject the chosen settlement", () => decide("reject"), mayDecide && current !== undefined);
  /** After a decision the next one is at hand. */
  const nextAfter = (row: AwaitingApprovalWire) => {
    const at = rows.findIndex(({ settlement }) => settlement.tx_id === row.settlement.tx_id);
    return rows[at + 1] ?? rows[at - 1];
  };
  const decided = useRef<AwaitingApprovalWire | null>(null);
  const onDecided = () => {
    if (deciding === null) return;
    const { what, row } = deciding;
    const next = nextAfter(row);
    forget(row.settlement.tx_id);
    decided.current = next ?? row;
    setChosen(next?.settlement.tx_id ?? null);
    setSaid(`${what === "approve" ? "Approved" : "Rejected"} ${row.settlement.external_merchant_id}. ${rows.length - 1} waiting.`);
  };
  const returnFocus = () => focusRow(decided.current ?? deciding?.row) ?? document.querySelector<HTMLElement>("#main h1");
  return { current, choose: setChosen, deciding, decide, stop: () => setDeciding(null), onDecided, returnFocus, said };
}

function waiting(count: number, more: boolean): string {
  return count === 0 ? "" : `${count}${more ? "+" : ""} waiting`;
}

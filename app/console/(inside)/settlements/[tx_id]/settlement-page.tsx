"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { Button } from "../../../_components/button.tsx";
import { Id } from "../../../_components/id.tsx";
import { Skeleton, Stale, Trouble } from "../../../_components/list-states.tsx";
import { useLiveChanges } from "../../../_components/live.tsx";
import { Money } from "../../../_components/money.tsx";
import { PageHeader, Section } from "../../../_components/page-header.tsx";
import { useShortcut } from "../../../_components/shortcuts.tsx";
import { SettlementBadge } from "../../../_components/status-badge.tsx";
import { useTRPC } from "../../../_trpc/client.ts";
import { ApproveDialog } from "../../approvals/approve-dialog.tsx";
import { RejectDialog } from "../../approvals/reject-dialog.tsx";
import { CallbacksPart } from "./callbacks-part.tsx";
import { ChainPart } from "./chain-part.tsx";
import { Facts } from "./facts.tsx";
import { HistoryPart } from "./history-part.tsx";
import { PricePart } from "./price-part.tsx";
import { RawPart } from "./raw-part.tsx";
import type { Story } from "./story.ts";

type Props = { txId: string; isOperator: boolean; mayDecide: boolean; mayResend: boolean };

/** One settlement: everything that is known of it, kept up to date while one looks. */
export function SettlementPage({ txId, isOperator, mayDecide, mayResend }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const found = useSearchParams().get("found");
  const options = trpc.settlements.byId.queryOptions({ tx_id: txId });
  const query = useQuery({ ...options, refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 2_000 : false) });
  const callbackIds = new Set(query.data?.callback_list.map(({ id }) => id));
  useLiveChanges(
    ({ object_id }) => object_id === txId || callbackIds.has(object_id),
    () => void queries.invalidateQueries({ queryKey: options.queryKey }),
  );
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { settlement, amounts } = story;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      {found && <p className="searched-as muted">Found by its {found.replaceAll("_", " ")}.</p>}
      <PageHeader
        title={
          <span className="amounts">
            <Money amount={amounts.source} currency={settlement.source_currency} size="large" />
            <span className="arrow" aria-hidden>
              →
            </span>
            <span className="sr-only">to</span>
            <Money amount={amounts.net} currency={settlement.destination_currency} size="large" />
          </span>
        }
        actions={mayDecide && <Decide story={story} />}
      >
        <SettlementBadge settlement={settlement} />
        <Id value={settlement.tx_id} what="settlement" />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          <Facts story={story} isOperator={isOperator} />
          <Section title="Price">
            <PricePart story={story} />
          </Section>
          {story.payment && (
            <Section title="Payment on the chain">
              <ChainPart payment={story.payment} chain={settlement.chain} />
            </Section>
          )}
          <Section title="Callbacks">
            <CallbacksPart story={story} mayResend={mayResend} />
          </Section>
          <Section title="What the partner sees">
            <RawPart story={story} />
          </Section>
        </div>
        <aside className="detail-aside" aria-label="History">
          <HistoryPart story={story} isOperator={isOperator} />
        </aside>
      </div>
    </>
  );
}

/** Something is under way that no entry of the audit log tells: blocks on top of a payment, attempts at a callback. */
function isMoving({ settlement, callback_list }: Story): boolean {
  return settlement.status === "processing" || callback_list.some(({ state }) => state === "pending");
}

function Decide({ story }: { story: Story }) {
  const [open, setOpen] = useState<"approve" | "reject" | null>(null);
  const approve = useRef<HTMLButtonElement>(null);
  const { settlement } = story;
  const isPending = settlement.status === "quoted" && settlement.approval_state === "pending";
  useShortcut("a", "Approve this settlement", () => setOpen("approve"), isPending);
  useShortcut("r", "Reject this settlement", () => setOpen("reject"), isPending);
  const close = () => setOpen(null);
  return (
    <>
      {isPending && (
        <div className="decide">
          <Button look="danger" onClick={() => setOpen("reject")} aria-keyshortcuts="r">
            Reject
          </Button>
          <Button ref={approve} look="primary" onClick={() => setOpen("approve")} aria-keyshortcuts="a">
            Approve
          </Button>
        </div>
      )}
      <ApproveDialog txId={settlement.tx_id} open={open === "approve"} onClose={close} />
      <RejectDialog row={story} open={open === "reject"} onClose={close} />
    </>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { FromTo } from "../../../_components/controls/from-to.tsx";
import { Id, SettlementBadge } from "../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../_components/frame/page-parts.tsx";
import { AuditOf } from "../../../_components/lists/audit-of.tsx";
import { Skeleton, Stale, Trouble } from "../../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { Actions } from "./actions.tsx";
import { ActivityPart } from "./activity-part.tsx";
import { CallbacksPart } from "./callbacks-part.tsx";
import { ChainPart } from "./chain-part.tsx";
import { ChecksPart } from "./checks-part.tsx";
import { Facts } from "./facts.tsx";
import { HistoryPart } from "./history-part.tsx";
import { Neighbours } from "./neighbours.tsx";
import { Outcome } from "./outcome.tsx";
import { PricePart } from "./price-part.tsx";
import { RawPart } from "./raw-part.tsx";
import { Receipt } from "./receipt.tsx";
import { SectionKeys } from "./section-keys.tsx";
import type { Story } from "./story.ts";

type Props = { txId: string; isOperator: boolean; mayDecide: boolean; mayRelease: boolean; mayResend: boolean };

/** One settlement: everything that is known of it, kept up to date while one looks. */
export function SettlementPage({ txId, isOperator, mayDecide, mayRelease, mayResend }: Props) {
  const trpc = useTRPC();
  const address = useSearchParams();
  const [found, list] = [address.get("found"), address.get("list")];
  const options = trpc.settlements.byId.queryOptions({ tx_id: txId });
  const query = useQuery({ ...options, refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 2_000 : false) });
  const callbackIds = new Set(query.data?.callback_list.map(({ id }) => id));
  useLiveChanges(({ object_id }) => object_id === txId || callbackIds.has(object_id), useRefresh(options.queryKey));
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { settlement, amounts } = story;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      {found && <p className="searched-as muted">Found by its {found.replaceAll("_", " ")}.</p>}
      <Receipt story={story} />
      <SectionKeys />
      <PageHeader
        within={{ href: `/console/settlements${list === null ? "" : `?${list}`}`, label: "Settlements" }}
        title={
          <FromTo
            from={{ amount: amounts.source, currency: settlement.source_currency }}
            to={{ amount: amounts.net, currency: settlement.destination_currency }}
          />
        }
        actions={
          <>
            <Neighbours txId={txId} />
            <Actions story={story} mayDecide={mayDecide} />
          </>
        }
      >
        <Id value={settlement.tx_id} what="settlement" />
        <SettlementBadge settlement={settlement} />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          <Outcome story={story} />
          <Facts story={story} isOperator={isOperator} />
          <Section title="Price">
            <PricePart story={story} />
          </Section>
          {isOperator && (story.payment !== null || settlement.approval_state !== null) && (
            <ChecksPart txId={txId} mayRelease={mayRelease} />
          )}
          {story.payment && (
            <Section title="Payment on the chain">
              <ChainPart payment={story.payment} chain={settlement.chain} failure={settlement.failure_reason ?? null} />
            </Section>
          )}
          <Section title="Callbacks">
            <CallbacksPart story={story} mayResend={mayResend} />
          </Section>
        </div>
        <aside className="detail-aside" aria-label="Timeline">
          <HistoryPart story={story} />
        </aside>
      </div>
      <div className="detail-more">
        <Section title="API activity">
          <ActivityPart txId={txId} />
        </Section>
        <Section title="What the partner sees">
          <RawPart story={story} />
        </Section>
        <Section title="Audit">
          <AuditOf objectId={txId} what="this settlement" />
        </Section>
      </div>
    </>
  );
}

/** Something is under way that no entry of the audit log tells: blocks on top of a payment, attempts at a callback. */
function isMoving({ settlement, callback_list }: Story): boolean {
  return settlement.status === "processing" || callback_list.some(({ state }) => state === "pending");
}

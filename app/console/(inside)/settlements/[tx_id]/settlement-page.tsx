"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { FromTo } from "../../../_components/controls/from-to.tsx";
import { Id, SettlementBadge } from "../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../_components/frame/page-parts.tsx";
import { AuditOf } from "../../../_components/lists/audit-of.tsx";
import { ErrorState, Skeleton, Stale } from "../../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { Actions } from "./actions.tsx";
import { ActivityPart } from "./activity-part.tsx";
import { CallbacksPart } from "./callbacks-part.tsx";
import { ChainPart } from "./chain-part.tsx";
import { ChecksPart } from "./checks-part.tsx";
import { DemandPart } from "./demand-part.tsx";
import { Facts } from "./facts.tsx";
import { HistoryPart } from "./history-part.tsx";
import { Neighbours, type Within } from "./neighbours.tsx";
import { Outcome } from "./outcome.tsx";
import { PricePart } from "./price-part.tsx";
import { RawPart } from "./raw-part.tsx";
import { Receipt } from "./receipt.tsx";
import { SectionKeys } from "./section-keys.tsx";
import type { Story } from "./story.ts";
import { SETTLEMENT_PAGE } from "./words.ts";

type Props = { txId: string; isOperator: boolean; mayDecide: boolean; mayRelease: boolean; mayResend: boolean; within: Within | null };

/** One settlement with everything known about it. Kept up to date while it is open. */
export function SettlementPage({ txId, isOperator, mayDecide, mayRelease, mayResend, within }: Props) {
  const t = useTranslations(SETTLEMENT_PAGE);
  const trpc = useTRPC();
  const found = useSearchParams().get("found");
  const options = trpc.settlements.byId.queryOptions({ tx_id: txId });
  const query = useQuery({ ...options, refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 2_000 : false) });
  const callbackIds = new Set(query.data?.callback_list.map(({ id }) => id));
  useLiveChanges(({ object_id }) => object_id === txId || callbackIds.has(object_id), useRefresh(options.queryKey));
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { settlement, amounts } = story;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      {found && <p className="searched-as muted">{t.foundBy(found.replaceAll("_", " "))}</p>}
      <Receipt story={story} />
      <SectionKeys />
      <PageHeader
        within={{ href: `/console/settlements${within === null ? "" : `?${within.list}`}`, label: t.settlements }}
        title={
          <FromTo
            from={{ amount: amounts.source, currency: settlement.source_currency }}
            to={{ amount: amounts.net, currency: settlement.destination_currency }}
          />
        }
        actions={
          <>
            {within && <Neighbours txId={txId} within={within} />}
            <Actions story={story} mayDecide={mayDecide} />
          </>
        }
      >
        <Id value={settlement.tx_id} what={t.settlement} />
        <SettlementBadge settlement={settlement} />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          <Outcome story={story} />
          <Facts story={story} isOperator={isOperator} />
          <Section title={t.price}>
            <PricePart story={story} />
          </Section>
          {isOperator && settlement.approval_state !== null && <DemandPart txId={txId} />}
          {isOperator && (story.payment !== null || settlement.approval_state !== null) && (
            <ChecksPart ownerId={txId} mayRelease={mayRelease} onDecided={() => void query.refetch()} />
          )}
          {story.payment && (
            <Section title={t.payment}>
              <ChainPart payment={story.payment} chain={settlement.chain} failure={settlement.failure_reason ?? null} />
            </Section>
          )}
          <Section title={t.callbacks}>
            <CallbacksPart story={story} mayResend={mayResend} />
          </Section>
        </div>
        <aside className="detail-aside" aria-label={t.timeline}>
          <HistoryPart story={story} />
        </aside>
      </div>
      <div className="detail-more">
        <Section title={t.apiActivity}>
          <ActivityPart txId={txId} />
        </Section>
        <Section title={t.partnerView}>
          <RawPart story={story} />
        </Section>
        <Section title={t.audit}>
          <AuditOf objectId={txId} what={t.thisSettlement} />
        </Section>
      </div>
    </>
  );
}

/** Progress that the audit log does not announce: confirmations of a payment, attempts of a callback. */
function isMoving({ settlement, callback_list }: Story): boolean {
  return settlement.status === "processing" || callback_list.some(({ state }) => state === "pending");
}

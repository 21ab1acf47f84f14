import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { FromTo } from "../../_components/controls/from-to.tsx";
import { HistoryAside, type TimelineNode } from "../../_components/controls/timeline.tsx";
import { Id, KeyValues } from "../../_components/controls/values.tsx";
import { Note, PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Stale } from "../../_components/lists/list-states.tsx";
import { Data, Served, useTranslations } from "../../_words/words.ts";
import { ChainPart } from "../settlements/[tx_id]/chain-part.tsx";
import { ChecksPart } from "../settlements/[tx_id]/checks-part.tsx";
import { CancelOrder } from "./cancel-order.tsx";
import { OrderCallbacks } from "./order-parts.tsx";
import { ProviderLog } from "./provider-log.tsx";
import { ResolveAmbiguous } from "./resolve-ambiguous.tsx";
import { plainTrouble, type TopupStory, type WithdrawalStory } from "./story.ts";
import { ORDER_PAGE, STORY } from "./story-words.ts";

/** `mayMove`: an owner, who asks for orders and cancels them. */
export type Viewer = { isOperator: boolean; mayResend: boolean; mayDecide: boolean; mayMove: boolean };
type Sum = { amount: string; currency: string };
type Order = (WithdrawalStory["withdrawal"] | TopupStory["topup"]) & { failure_reason: string | null };
type Payment = ComponentProps<typeof ChainPart>["payment"];

type Props = {
  kind: "withdrawal" | "topup";
  order: Order;
  story: WithdrawalStory | TopupStory;
  query: UseQueryResult<unknown, object>;
  viewer: Viewer;
  from: Sum;
  to: Sum;
  badge: ReactNode;
  facts: ComponentProps<typeof KeyValues>["items"];
  sum: ReactNode;
  /** The order's payments on the chain, each with a title. */
  payments: readonly { title: string; payment: Payment | null }[];
  history: readonly TimelineNode[];
  /** Content at the top. */
  children?: ReactNode;
};

/** One order with every step between fiat and crypto. */
export function OrderPage({ kind, order, story, query, viewer, from, to, badge, facts, sum, payments, history, children }: Props) {
  const t = useTranslations(ORDER_PAGE);
  const words = useTranslations(STORY);
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader
        within={{ href: `/console/fiat?tab=${kind}s`, label: t.fiat }}
        title={<FromTo from={from} to={to} />}
        actions={viewer.mayMove && story.may_cancel && <CancelOrder kind={kind} id={order.id} onDone={() => void query.refetch()} />}
      >
        {badge}
        <Id value={order.id} what={kind === "topup" ? t.topUpNoun : t.withdrawalNoun} />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          {children}
          <Notes
            trouble={plainTrouble(story.step, order.failure_reason, "paid_late_at" in order && order.paid_late_at !== null, words)}
            waiting={story.waiting_reason}
          />
          <KeyValues
            items={[
              viewer.isOperator && { key: t.partner, value: <Data>{story.partner.name}</Data> },
              story.provider !== null && { key: t.provider, value: <Data>{story.provider}</Data> },
              ...facts,
            ]}
          />
          {story.ambiguous_since !== null && (
            <Section title={story.step === "uncollected" ? t.lateTitle : t.whatProviderDid}>
              {viewer.mayDecide ? (
                <ResolveAmbiguous
                  kind={kind}
                  paidLate={story.step === "uncollected"}
                  id={order.id}
                  onDecided={() => void query.refetch()}
                />
              ) : (
                <p className="muted">{t.onlyAdminDecides}</p>
              )}
            </Section>
          )}
          <Section title={t.amounts}>{sum}</Section>
          {payments.map(
            ({ title, payment }) =>
              payment && (
                <Section key={title} title={title}>
                  <ChainPart payment={payment} chain={order.chain} onSigned={viewer.mayDecide ? () => void query.refetch() : undefined} />
                </Section>
              ),
          )}
          {viewer.isOperator && <ChecksPart ownerId={order.id} mayRelease={viewer.mayDecide} onDecided={() => void query.refetch()} />}
          {viewer.isOperator && (
            <Section title={t.providerMessages}>
              <ProviderLog events={story.provider_events} />
            </Section>
          )}
          <Section title={t.callbacks}>
            <OrderCallbacks callbacks={story.callback_list} url={order.callback_url} mayResend={viewer.mayResend} />
          </Section>
        </div>
        <HistoryAside nodes={history.map((node) => ({ ...node, children: node.children && <Data>{node.children}</Data> }))} />
      </div>
    </>
  );
}

function Notes({ trouble, waiting }: { trouble: string | null; waiting: string | null }) {
  return (
    <>
      {trouble && <Note kind="danger">{trouble}</Note>}
      {waiting && (
        <Note kind="warning">
          <Served>{waiting}</Served>
        </Note>
      )}
    </>
  );
}

"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { Id } from "../../../../_components/controls/id.tsx";
import { KeyValues } from "../../../../_components/controls/key-values.tsx";
import { Money } from "../../../../_components/controls/money.tsx";
import { Time } from "../../../../_components/controls/time.tsx";
import { Timeline } from "../../../../_components/controls/timeline.tsx";
import { PageHeader, Section } from "../../../../_components/frame/page-header.tsx";
import { Skeleton, Stale, Trouble } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.ts";
import { ChainPart } from "../../../settlements/[tx_id]/chain-part.tsx";
import { WithdrawalBadge } from "../../order-badge.tsx";
import { memberText, OrderCallbacks } from "../../order-parts.tsx";
import { ProviderLog } from "../../provider-log.tsx";
import { ResolveAmbiguous } from "../../resolve-ambiguous.tsx";
import { WithdrawalSum } from "../../review-sum.tsx";
import { plainTrouble, type WithdrawalStory, withdrawalTimeline } from "../../story.ts";
import { lookEvery, useOrderChanges } from "../../use-order.ts";

type Props = { id: string; isOperator: boolean; mayResend: boolean; mayDecide: boolean };

/** One withdrawal: crypto out of a Safe, fiat to a person, and every step between, kept up to date while one looks. */
export function WithdrawalPage({ id, isOperator, mayResend, mayDecide }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const options = trpc.fiat.withdrawal.queryOptions({ id });
  const query = useQuery({
    ...options,
    refetchInterval: ({ state: { data } }) => (data ? lookEvery({ status: data.withdrawal.status, callbacks: data.callback_list }) : false),
  });
  useOrderChanges(id, query.data?.callback_list ?? [], () => void queries.invalidateQueries({ queryKey: options.queryKey }));
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { withdrawal, amounts } = story;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader
        title={
          <span className="amounts">
            <Money amount={amounts.crypto} currency={withdrawal.source_currency} size="large" />
            <span className="arrow" aria-hidden>
              →
            </span>
            <span className="sr-only">to</span>
            <Money amount={amounts.amount} currency={withdrawal.currency} size="large" />
          </span>
        }
      >
        <WithdrawalBadge step={story.step} ambiguousSince={story.ambiguous_since} />
        <Id value={withdrawal.id} what="withdrawal" />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          <Facts story={story} isOperator={isOperator} />
          {story.ambiguous_since !== null && (
            <Section title="What the provider did">
              {mayDecide ? (
                <ResolveAmbiguous kind="withdrawal" id={withdrawal.id} onDecided={() => void query.refetch()} />
              ) : (
                <p className="muted">Only an admin decides.</p>
              )}
            </Section>
          )}
          <Section title="Amounts">
            <WithdrawalSum amounts={amounts} price={story.price} fiat={withdrawal.currency} crypto={withdrawal.source_currency} />
          </Section>
          {story.sweep && (
            <Section title="Taking the crypto">
              <ChainPart payment={story.sweep} chain={withdrawal.chain} />
            </Section>
          )}
          {story.give_back && (
            <Section title="Returning the crypto">
              <ChainPart payment={story.give_back} chain={withdrawal.chain} />
            </Section>
          )}
          {isOperator && (
            <Section title="What the provider said">
              <ProviderLog events={story.provider_events} />
            </Section>
          )}
          <Section title="Callbacks">
            <OrderCallbacks callbacks={story.callback_list} url={withdrawal.callback_url} mayResend={mayResend} />
          </Section>
        </div>
        <aside className="detail-aside" aria-label="History">
          <h2>History</h2>
          <Timeline label="History" nodes={withdrawalTimeline(story)} />
        </aside>
      </div>
    </>
  );
}

function Facts({ story, isOperator }: { story: WithdrawalStory; isOperator: boolean }) {
  const { withdrawal, member } = story;
  const trouble = plainTrouble(story.step, withdrawal.failure_reason);
  return (
    <>
      {trouble && (
        <p className="note" data-kind="danger">
          {trouble}
        </p>
      )}
      {story.waiting_reason && (
        <p className="note" data-kind="warning">
          {story.waiting_reason}
        </p>
      )}
      <KeyValues
        items={[
          isOperator && { key: "Partner", value: story.partner.name },
          {
            key: "Out of",
            value: member === null ? "The partner's own Safe" : <Link href={`/console/members/${member.id}`}>{memberText(member)}</Link>,
          },
          { key: "Paid to", value: `${withdrawal.destination.name}, ${withdrawal.destination.account}` },
          { key: "By", value: withdrawal.destination.type === "mobile_money" ? "Mobile money" : "Bank account" },
          { key: "External id", value: withdrawal.external_id },
          withdrawal.provider_reference !== null && { key: "Provider's reference", value: <code>{withdrawal.provider_reference}</code> },
          { key: "Safe", value: <Id value={story.safe_address} what="Safe" full /> },
          story.treasury_address !== null && { key: "Taken to", value: <Id value={story.treasury_address} what="treasury wallet" full /> },
          { key: "Created", value: <Time at={withdrawal.created_at} form="absolute" /> },
          withdrawal.completed_at !== null && { key: "Completed", value: <Time at={withdrawal.completed_at} form="absolute" /> },
        ]}
      />
    </>
  );
}

"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { CopyButton } from "../../../../_components/controls/copy-button.tsx";
import { Id } from "../../../../_components/controls/id.tsx";
import { KeyValues } from "../../../../_components/controls/key-values.tsx";
import { Money } from "../../../../_components/controls/money.tsx";
import { QrCode } from "../../../../_components/controls/qr-code.tsx";
import { Time } from "../../../../_components/controls/time.tsx";
import { Timeline } from "../../../../_components/controls/timeline.tsx";
import { PageHeader, Section } from "../../../../_components/frame/page-header.tsx";
import { Skeleton, Stale, Trouble } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.ts";
import { ChainPart } from "../../../settlements/[tx_id]/chain-part.tsx";
import { TopupBadge } from "../../order-badge.tsx";
import { memberText, OrderCallbacks } from "../../order-parts.tsx";
import { ProviderLog } from "../../provider-log.tsx";
import { ResolveAmbiguous } from "../../resolve-ambiguous.tsx";
import { TopupSum } from "../../review-sum.tsx";
import { plainTrouble, type TopupStory, topupTimeline } from "../../story.ts";
import { lookEvery, useOrderChanges } from "../../use-order.ts";
import { payLink } from "./pay-link.ts";

type Props = { id: string; isOperator: boolean; mayResend: boolean; mayDecide: boolean };

/** One top-up: fiat from a member, crypto to its wallet, and every step between, kept up to date while one looks. */
export function TopupPage({ id, isOperator, mayResend, mayDecide }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const options = trpc.fiat.topup.queryOptions({ id });
  const query = useQuery({
    ...options,
    refetchInterval: ({ state: { data } }) => (data ? lookEvery({ status: data.topup.status, callbacks: data.callback_list }) : false),
  });
  useOrderChanges(id, query.data?.callback_list ?? [], () => void queries.invalidateQueries({ queryKey: options.queryKey }));
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { topup, amounts } = story;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader
        title={
          <span className="amounts">
            <Money amount={amounts.amount} currency={topup.currency} size="large" />
            <span className="arrow" aria-hidden>
              →
            </span>
            <span className="sr-only">to</span>
            <Money amount={amounts.crypto} currency={topup.destination_currency} size="large" />
          </span>
        }
      >
        <TopupBadge step={story.step} ambiguousSince={story.ambiguous_since} />
        <Id value={topup.id} what="top-up" />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          {story.step === "collecting" && <HowToPay story={story} />}
          <Facts story={story} isOperator={isOperator} />
          {story.ambiguous_since !== null && (
            <Section title="What the provider did">
              {mayDecide ? (
                <ResolveAmbiguous kind="topup" id={topup.id} onDecided={() => void query.refetch()} />
              ) : (
                <p className="muted">Only an admin decides.</p>
              )}
            </Section>
          )}
          <Section title="Amounts">
            <TopupSum amounts={amounts} price={story.price} fiat={topup.currency} crypto={topup.destination_currency} />
          </Section>
          {story.payment && (
            <Section title="Delivering the crypto">
              <ChainPart payment={story.payment} chain={topup.chain} />
            </Section>
          )}
          {isOperator && (
            <Section title="What the provider said">
              <ProviderLog events={story.provider_events} />
            </Section>
          )}
          <Section title="Callbacks">
            <OrderCallbacks callbacks={story.callback_list} url={topup.callback_url} mayResend={mayResend} />
          </Section>
        </div>
        <aside className="detail-aside" aria-label="History">
          <h2>History</h2>
          <Timeline label="History" nodes={topupTimeline(story)} />
        </aside>
      </div>
    </>
  );
}

/** What the payer is told, for as long as it has not paid. */
function HowToPay({ story: { topup } }: { story: TopupStory }) {
  const { reference, instructions } = topup.payment;
  const link = instructions === null ? null : payLink(instructions);
  return (
    <section className="pay" aria-label="How the member pays">
      {reference !== null && (
        <div className="pay-reference">
          <p className="muted">Payment reference</p>
          <p className="pay-text">
            <strong>{reference}</strong>
            <CopyButton text={reference} label="Copy payment reference" />
          </p>
        </div>
      )}
      {instructions !== null && <p className="pay-words">{instructions}</p>}
      {link !== null && <QrCode text={link} label="The payment link as a QR code" />}
    </section>
  );
}

function Facts({ story, isOperator }: { story: TopupStory; isOperator: boolean }) {
  const { topup, member } = story;
  const trouble = plainTrouble(story.step, topup.failure_reason);
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
          member !== null && { key: "Member", value: <Link href={`/console/members/${member.id}`}>{memberText(member)}</Link> },
          { key: "Collected from", value: topup.source.account },
          { key: "By", value: topup.source.type === "mobile_money" ? "Mobile money" : "Bank account" },
          { key: "External id", value: topup.external_id },
          topup.provider_reference !== null && { key: "Provider's reference", value: <code>{topup.provider_reference}</code> },
          { key: "Delivered to", value: <Id value={topup.wallet_address} what="wallet" full /> },
          { key: "Created", value: <Time at={topup.created_at} form="absolute" /> },
          topup.completed_at !== null && { key: "Completed", value: <Time at={topup.completed_at} form="absolute" /> },
        ]}
      />
    </>
  );
}

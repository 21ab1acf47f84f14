"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CopyButton } from "../../../../_components/controls/copy-button.tsx";
import { QrCode } from "../../../../_components/controls/qr-code.tsx";
import { Id, Time } from "../../../../_components/controls/values.tsx";
import { Skeleton, Trouble } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { TopupBadge } from "../../order-badge.tsx";
import { OrderPage, type Viewer } from "../../order-page.tsx";
import { accountWords, memberText } from "../../order-parts.tsx";
import { TopupSum } from "../../review-sum.tsx";
import { type TopupStory, topupTimeline } from "../../story.ts";
import { lookEvery, useOrderChanges } from "../../use-order.ts";
import { payLink } from "./pay-link.ts";

/** One top-up: fiat from a member, crypto to its wallet, kept up to date while one looks. */
export function TopupPage({ id, ...viewer }: Viewer & { id: string }) {
  const trpc = useTRPC();
  const options = trpc.fiat.topup.queryOptions({ id });
  const query = useQuery({ ...options, refetchInterval: ({ state: { data } }) => lookEvery(data?.topup.status, data?.callback_list) });
  useOrderChanges(id, query.data?.callback_list, options.queryKey);
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { topup, amounts, member } = story;
  const { currency: fiat, destination_currency: crypto } = topup;
  return (
    <OrderPage
      kind="topup"
      order={topup}
      {...{ story, query, viewer }}
      from={{ amount: amounts.amount, currency: fiat }}
      to={{ amount: amounts.crypto, currency: crypto }}
      badge={<TopupBadge step={story.step} ambiguousSince={story.ambiguous_since} />}
      facts={[
        member !== null && { key: "Member", value: <Link href={`/console/members/${member.id}`}>{memberText(member)}</Link> },
        { key: "Collected from", value: topup.source.account },
        { key: "By", value: accountWords(topup.source.type) },
        { key: "External id", value: topup.external_id },
        topup.provider_reference !== null && { key: "Provider's reference", value: <code>{topup.provider_reference}</code> },
        { key: "Delivered to", value: <Id value={topup.wallet_address} what="wallet" full /> },
        { key: "Created", value: <Time at={topup.created_at} form="absolute" /> },
        {
          key: topup.failure_reason === null ? "Can be paid until" : "Could be paid until",
          value: <Time at={topup.expires_at} form="absolute" />,
        },
        topup.paid_late_at !== null && { key: "Paid too late", value: <Time at={topup.paid_late_at} form="absolute" /> },
        topup.completed_at !== null && { key: "Completed", value: <Time at={topup.completed_at} form="absolute" /> },
      ]}
      sum={<TopupSum amounts={amounts} price={story.price} fiat={fiat} crypto={crypto} />}
      payments={[{ title: "Delivering the crypto", payment: story.payment }]}
      history={topupTimeline(story)}
    >
      {story.step === "collecting" && <HowToPay story={story} />}
    </OrderPage>
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

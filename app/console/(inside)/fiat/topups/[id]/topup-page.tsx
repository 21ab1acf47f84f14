"use client";

import { useQuery } from "@tanstack/react-query";
import { CopyButton } from "../../../../_components/controls/copy-button.tsx";
import { Link } from "../../../../_components/controls/link.tsx";
import { QrCode } from "../../../../_components/controls/qr-code.tsx";
import { Id, Time } from "../../../../_components/controls/values.tsx";
import { ErrorState, Skeleton } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { Data, useTranslations } from "../../../../_words/words.ts";
import { STORY as ACTORS } from "../../../settlements/[tx_id]/words.ts";
import { TopupBadge } from "../../order-badge.tsx";
import { OrderPage, type Viewer } from "../../order-page.tsx";
import { accountWords, memberText } from "../../order-parts.tsx";
import { TopupSum } from "../../review-sum.tsx";
import { type TopupStory, topupTimeline } from "../../story.ts";
import { ORDER_PARTS, STORY, TOPUP_PAGE } from "../../story-words.ts";
import { lookEvery, useOrderChanges } from "../../use-order.ts";
import { payLink } from "./pay-link.ts";

/** One top-up: fiat from a member, crypto to its wallet. Kept up to date while it is open. */
export function TopupPage({ id, ...viewer }: Viewer & { id: string }) {
  const t = useTranslations(TOPUP_PAGE);
  const parts = useTranslations(ORDER_PARTS);
  const tStory = useTranslations(STORY);
  const actors = useTranslations(ACTORS);
  const trpc = useTRPC();
  const options = trpc.fiat.topup.queryOptions({ id });
  const query = useQuery({ ...options, refetchInterval: ({ state: { data } }) => lookEvery(data?.topup.status, data?.callback_list) });
  useOrderChanges(id, query.data?.callback_list, options.queryKey);
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { topup, amounts, member } = story;
  const { currency: fiat, destination_currency: crypto } = topup;
  return (
    <OrderPage
      kind="topup"
      order={topup}
      story={story}
      query={query}
      viewer={viewer}
      from={{ amount: amounts.amount, currency: fiat }}
      to={{ amount: amounts.crypto, currency: crypto }}
      badge={<TopupBadge {...story} />}
      facts={[
        member !== null && {
          key: t.member,
          value: (
            <Link href={`/console/members/${member.id}`} translate="no">
              {memberText(member)}
            </Link>
          ),
        },
        { key: t.fromAccount, value: <Data>{topup.source.account}</Data> },
        { key: t.by, value: accountWords(topup.source.type, parts) },
        { key: t.externalId, value: <Data>{topup.external_id}</Data> },
        topup.provider_reference !== null && {
          key: t.providersReference,
          value: <code translate="no">{topup.provider_reference}</code>,
        },
        { key: t.toWallet, value: <Id value={topup.wallet_address} what={t.walletNoun} full /> },
        { key: t.created, value: <Time at={topup.created_at} form="absolute" /> },
        {
          key: topup.failure_reason === null ? t.payableUntil : t.wasPayableUntil,
          value: <Time at={topup.expires_at} form="absolute" />,
        },
        topup.paid_late_at !== null && { key: t.paidTooLate, value: <Time at={topup.paid_late_at} form="absolute" /> },
        topup.completed_at !== null && { key: t.completed, value: <Time at={topup.completed_at} form="absolute" /> },
      ]}
      sum={<TopupSum amounts={amounts} price={story.price} fiat={fiat} crypto={crypto} />}
      payments={[{ title: t.deliveringCrypto, payment: story.payment }]}
      history={topupTimeline(story, tStory, actors)}
    >
      {story.step === "collecting" && <HowToPay story={story} />}
    </OrderPage>
  );
}

/** The payer's instructions, until it has paid. */
function HowToPay({ story: { topup } }: { story: TopupStory }) {
  const t = useTranslations(TOPUP_PAGE);
  const { reference, instructions } = topup.payment;
  const link = instructions === null ? null : payLink(instructions);
  return (
    <section className="pay" aria-label={t.howMemberPays}>
      {reference !== null && (
        <div className="pay-reference">
          <p className="muted">{t.paymentReference}</p>
          <p className="id pay-text" data-full>
            <strong translate="no">{reference}</strong>
            <CopyButton text={reference} label={t.copyPaymentReference} />
          </p>
        </div>
      )}
      {instructions !== null && (
        <p className="pay-words" translate="no">
          {instructions}
        </p>
      )}
      {link !== null && <QrCode text={link} label={t.paymentLinkQr} />}
    </section>
  );
}

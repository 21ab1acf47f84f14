"use client";

import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../../_components/controls/link.tsx";
import { Id, Time } from "../../../../_components/controls/values.tsx";
import { ErrorState, Skeleton } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { Data, useTranslations } from "../../../../_words/words.ts";
import { STORY as ACTORS } from "../../../settlements/[tx_id]/words.ts";
import { WithdrawalBadge } from "../../order-badge.tsx";
import { OrderPage, type Viewer } from "../../order-page.tsx";
import { accountWords, memberText } from "../../order-parts.tsx";
import { WithdrawalSum } from "../../review-sum.tsx";
import { withdrawalTimeline } from "../../story.ts";
import { ORDER_PARTS, STORY, WITHDRAWAL_PAGE } from "../../story-words.ts";
import { lookEvery, useOrderChanges } from "../../use-order.ts";
import { NewPayee } from "./new-payee.tsx";

/** One withdrawal: crypto out of a Safe, fiat to a person. Kept up to date while it is open. */
export function WithdrawalPage({ id, ...viewer }: Viewer & { id: string }) {
  const t = useTranslations(WITHDRAWAL_PAGE);
  const parts = useTranslations(ORDER_PARTS);
  const tStory = useTranslations(STORY);
  const actors = useTranslations(ACTORS);
  const trpc = useTRPC();
  const options = trpc.fiat.withdrawal.queryOptions({ id });
  const query = useQuery({ ...options, refetchInterval: ({ state: { data } }) => lookEvery(data?.withdrawal.status, data?.callback_list) });
  useOrderChanges(id, query.data?.callback_list, options.queryKey);
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { withdrawal, amounts, member } = story;
  const { currency: fiat, source_currency: crypto, destination } = withdrawal;
  return (
    <OrderPage
      kind="withdrawal"
      order={withdrawal}
      story={story}
      query={query}
      viewer={viewer}
      from={{ amount: amounts.crypto, currency: crypto }}
      to={{ amount: amounts.amount, currency: fiat }}
      badge={<WithdrawalBadge {...story} />}
      facts={[
        {
          key: t.outOf,
          value:
            member === null ? (
              t.partnersOwnSafe
            ) : (
              <Link href={`/console/members/${member.id}`} translate="no">
                {memberText(member)}
              </Link>
            ),
        },
        { key: t.toAccount, value: <Data>{`${destination.name}, ${destination.account}`}</Data> },
        { key: t.by, value: accountWords(destination.type, parts) },
        { key: t.externalId, value: <Data>{withdrawal.external_id}</Data> },
        withdrawal.provider_reference !== null && {
          key: t.providersReference,
          value: <code translate="no">{withdrawal.provider_reference}</code>,
        },
        { key: t.safe, value: <Id value={story.safe_address} what={t.safe} full /> },
        story.treasury_address !== null && {
          key: t.cryptoTakenTo,
          value: <Id value={story.treasury_address} what={t.treasuryWallet} full />,
        },
        { key: t.created, value: <Time at={withdrawal.created_at} form="absolute" /> },
        withdrawal.completed_at !== null && { key: t.completed, value: <Time at={withdrawal.completed_at} form="absolute" /> },
      ]}
      sum={<WithdrawalSum amounts={amounts} price={story.price} fiat={fiat} crypto={crypto} />}
      payments={[
        { title: t.takingCrypto, payment: story.sweep },
        { title: t.returningCrypto, payment: story.give_back },
      ]}
      history={withdrawalTimeline(story, tStory, actors)}
    >
      {withdrawal.waiting_reason === "new_payee" && (
        <NewPayee withdrawal={withdrawal} mayApprove={viewer.mayMove} onApproved={() => void query.refetch()} />
      )}
    </OrderPage>
  );
}

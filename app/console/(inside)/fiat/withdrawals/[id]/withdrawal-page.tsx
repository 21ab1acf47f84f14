"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Id, Time } from "../../../../_components/controls/values.tsx";
import { Skeleton, Trouble } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { WithdrawalBadge } from "../../order-badge.tsx";
import { OrderPage, type Viewer } from "../../order-page.tsx";
import { accountWords, memberText } from "../../order-parts.tsx";
import { WithdrawalSum } from "../../review-sum.tsx";
import { withdrawalTimeline } from "../../story.ts";
import { lookEvery, useOrderChanges } from "../../use-order.ts";

/** One withdrawal: crypto out of a Safe, fiat to a person, kept up to date while one looks. */
export function WithdrawalPage({ id, ...viewer }: Viewer & { id: string }) {
  const trpc = useTRPC();
  const options = trpc.fiat.withdrawal.queryOptions({ id });
  const query = useQuery({ ...options, refetchInterval: ({ state: { data } }) => lookEvery(data?.withdrawal.status, data?.callback_list) });
  useOrderChanges(id, query.data?.callback_list, options.queryKey);
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { withdrawal, amounts, member } = story;
  const { currency: fiat, source_currency: crypto, destination } = withdrawal;
  return (
    <OrderPage
      kind="withdrawal"
      order={withdrawal}
      {...{ story, query, viewer }}
      from={{ amount: amounts.crypto, currency: crypto }}
      to={{ amount: amounts.amount, currency: fiat }}
      badge={<WithdrawalBadge step={story.step} ambiguousSince={story.ambiguous_since} />}
      facts={[
        {
          key: "Out of",
          value: member === null ? "The partner's own Safe" : <Link href={`/console/members/${member.id}`}>{memberText(member)}</Link>,
        },
        { key: "Paid to", value: `${destination.name}, ${destination.account}` },
        { key: "By", value: accountWords(destination.type) },
        { key: "External id", value: withdrawal.external_id },
        withdrawal.provider_reference !== null && { key: "Provider's reference", value: <code>{withdrawal.provider_reference}</code> },
        { key: "Safe", value: <Id value={story.safe_address} what="Safe" full /> },
        story.treasury_address !== null && { key: "Taken to", value: <Id value={story.treasury_address} what="treasury wallet" full /> },
        { key: "Created", value: <Time at={withdrawal.created_at} form="absolute" /> },
        withdrawal.completed_at !== null && { key: "Completed", value: <Time at={withdrawal.completed_at} form="absolute" /> },
      ]}
      sum={<WithdrawalSum amounts={amounts} price={story.price} fiat={fiat} crypto={crypto} />}
      payments={[
        { title: "Taking the crypto", payment: story.sweep },
        { title: "Returning the crypto", payment: story.give_back },
      ]}
      history={withdrawalTimeline(story)}
    />
  );
}

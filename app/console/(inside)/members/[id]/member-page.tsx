"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowDownLeft, ArrowUpRight, Pencil } from "lucide-react";
import { useState } from "react";
import { Button, LinkButton } from "../../../_components/controls/button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { HistoryAside } from "../../../_components/controls/timeline.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../../_components/frame/shortcuts.tsx";
import { ErrorState, Skeleton, Stale } from "../../../_components/lists/list-states.tsx";
import { Sums } from "../../../_components/lists/sums.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { Data, useTranslations } from "../../../_words/words.ts";
import { STORY as ACTORS } from "../../settlements/[tx_id]/words.ts";
import { SafeBadge } from "../safe-badge.tsx";
import { OrdersPart } from "./orders-part.tsx";
import { SafePart } from "./safe-part.tsx";
import { historyOf, type MemberStory } from "./story.ts";
import { MEMBER_PAGE, STORY } from "./words.ts";

const EditMember = lazyComponent(() => import("../edit-member.tsx").then(({ EditMember: Loaded }) => Loaded));

type Props = { id: string; isOperator: boolean; mayManage: boolean };

/** One member: its details, its wallet on the chain, its orders; and the progress of its Safe's deployment. */
export function MemberPage({ id, isOperator, mayManage }: Props) {
  const t = useTranslations(MEMBER_PAGE);
  const tStory = useTranslations(STORY);
  const actors = useTranslations(ACTORS);
  const trpc = useTRPC();
  const options = trpc.members.byId.queryOptions({ id });
  const query = useQuery({ ...options, refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 1_500 : false) });
  const concerned = new Set([id, ...(query.data ? ordersOf(query.data) : [])]);
  useLiveChanges(
    ({ object_id, action }) => concerned.has(object_id) || action === "topup.requested" || action === "withdrawal.requested",
    useRefresh(options.queryKey),
  );
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { member } = story;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader
        within={{ href: "/console/members", label: t.members }}
        title={<Data>{member.name ?? member.external_user_id}</Data>}
        actions={mayManage && <Actions story={story} />}
      >
        <SafeBadge status={member.safe_status} />
        <Id value={member.id} what={t.memberId} />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          <KeyValues
            items={[
              isOperator && { key: t.partner, value: <Data>{story.partner.name}</Data> },
              { key: t.externalId, value: <Data>{member.external_user_id}</Data> },
              { key: t.phone, value: <Data>{member.phone}</Data> },
              { key: t.eMailAddress, value: member.email === null ? <span className="none">–</span> : <Data>{member.email}</Data> },
              { key: t.volume, value: <Sums of={story.volume} /> },
              { key: t.created, value: <Time at={member.created_at} form="absolute" /> },
            ]}
          />
          <Section title={member.safe_status === null ? t.wallet : t.safe}>
            <SafePart story={story} mayManage={mayManage} />
          </Section>
          <OrdersPart story={story} />
        </div>
        <HistoryAside nodes={historyOf(story, tStory, actors)} />
      </div>
    </>
  );
}

function Actions({ story: { member } }: { story: MemberStory }) {
  const t = useTranslations(MEMBER_PAGE);
  const [editing, setEditing] = useState(false);
  const name = encodeURIComponent(member.external_user_id);
  useShortcut("e", t.editShortcut, () => setEditing(true));
  return (
    <>
      <Button icon={Pencil} onClick={() => setEditing(true)} aria-keyshortcuts="e">
        {t.edit}
      </Button>
      {member.wallet_address !== null && member.safe_status !== "failed" && (
        <LinkButton icon={ArrowDownLeft} href={`/console/fiat?tab=topups&new=topup&member=${name}`}>
          {t.topUp}
        </LinkButton>
      )}
      {member.safe_status === "deployed" && (
        <LinkButton icon={ArrowUpRight} href={`/console/fiat?tab=withdrawals&new=withdrawal&member=${name}`}>
          {t.withdraw}
        </LinkButton>
      )}
      <EditMember member={member} open={editing} onClose={() => setEditing(false)} />
    </>
  );
}

function isMoving({ member, topups, withdrawals }: MemberStory): boolean {
  const isOpen = (status: string) => status === "pending" || status === "processing";
  return (
    member.safe_status === "deploying" ||
    topups.some(({ topup }) => isOpen(topup.status)) ||
    withdrawals.some(({ withdrawal }) => isOpen(withdrawal.status))
  );
}

function ordersOf({ topups, withdrawals }: MemberStory): string[] {
  return [...topups.map(({ topup }) => topup.id), ...withdrawals.map(({ withdrawal }) => withdrawal.id)];
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowDownLeft, ArrowUpRight, Pencil } from "lucide-react";
import { useState } from "react";
import { Button, LinkButton } from "../../../_components/controls/button.tsx";
import { HistoryAside } from "../../../_components/controls/timeline.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../../_components/frame/shortcuts.tsx";
import { Skeleton, Stale, Trouble } from "../../../_components/lists/list-states.tsx";
import { Sums } from "../../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { EditMember } from "../edit-member.tsx";
import { SafeBadge } from "../safe-badge.tsx";
import { OrdersPart } from "./orders-part.tsx";
import { SafePart } from "./safe-part.tsx";
import { historyOf, type MemberStory } from "./story.ts";

type Props = { id: string; isOperator: boolean; mayManage: boolean };

/** One member: who it is, its wallet as the chain has it, what it moved; and its Safe while that is being deployed. */
export function MemberPage({ id, isOperator, mayManage }: Props) {
  const trpc = useTRPC();
  const options = trpc.members.byId.queryOptions({ id });
  const query = useQuery({ ...options, refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 1_500 : false) });
  const concerned = new Set([id, ...(query.data ? ordersOf(query.data) : [])]);
  useLiveChanges(
    ({ object_id, action }) => concerned.has(object_id) || action === "topup.requested" || action === "withdrawal.requested",
    useRefresh(options.queryKey),
  );
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { member } = story;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader
        within={{ href: "/console/members", label: "Members" }}
        title={member.name ?? member.external_user_id}
        actions={mayManage && <Actions story={story} />}
      >
        <SafeBadge status={member.safe_status} />
        <Id value={member.id} what="member id" />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          <KeyValues
            items={[
              isOperator && { key: "Partner", value: story.partner.name },
              { key: "External id", value: member.external_user_id },
              { key: "Phone", value: member.phone },
              { key: "E-mail address", value: member.email ?? <span className="none">–</span> },
              { key: "30-day volume", value: <Sums of={story.volume} /> },
              { key: "Created", value: <Time at={member.created_at} form="absolute" /> },
            ]}
          />
          <Section title={member.safe_status === null ? "Wallet" : "Safe"}>
            <SafePart story={story} mayManage={mayManage} />
          </Section>
          <OrdersPart story={story} />
        </div>
        <HistoryAside nodes={historyOf(story)} />
      </div>
    </>
  );
}

function Actions({ story: { member } }: { story: MemberStory }) {
  const [editing, setEditing] = useState(false);
  const name = encodeURIComponent(member.external_user_id);
  useShortcut("e", "Edit this member", () => setEditing(true));
  return (
    <>
      <Button icon={Pencil} onClick={() => setEditing(true)} aria-keyshortcuts="e">
        Edit
      </Button>
      {member.wallet_address !== null && member.safe_status !== "failed" && (
        <LinkButton icon={ArrowDownLeft} href={`/console/fiat?tab=topups&new=topup&member=${name}`}>
          Top up
        </LinkButton>
      )}
      {member.safe_status === "deployed" && (
        <LinkButton icon={ArrowUpRight} href={`/console/fiat?tab=withdrawals&new=withdrawal&member=${name}`}>
          Withdraw
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

"use client";

import { useQuery } from "@tanstack/react-query";
import { Button } from "../../_components/controls/button.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { type Noted, Notice } from "../../_components/frame/notice.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { NOTICE_LIST } from "./words.ts";

/** The user's notifications, newest first, each with a link. */
export function Notices() {
  const t = useTranslations(NOTICE_LIST);
  const trpc = useTRPC();
  const { notifications } = useTRPCClient();
  const notices = useQuery(trpc.notifications.list.queryOptions());
  const refresh = useRefresh(trpc.notifications.list.queryKey(), trpc.notifications.unread.queryKey());
  const reading = useConfirmedMutation();
  const readAll = () => void reading.run(() => notifications.markRead.mutate({ id: null }), refresh);
  const follow = (id: string) => void notifications.markRead.mutate({ id }).then(refresh, () => {});
  const columns: Column<Noted>[] = [
    {
      id: "text",
      header: t.what,
      card: 1,
      cell: (noted) => (
        <Link href={noted.page} onClick={() => follow(noted.id)} className="notice-link">
          <Notice of={noted} />
        </Link>
      ),
    },
    { id: "at", header: t.when, align: "end", card: 2.1, cell: ({ at }) => <Time at={at} /> },
  ];
  const some = notices.data?.some(({ is_read }) => !is_read) ?? false;
  return (
    <Section
      title={t.latest}
      aside={
        some && (
          <Button pending={reading.pending} onClick={readAll}>
            {t.markAllRead}
          </Button>
        )
      }
    >
      {reading.error !== null && <Refused error={reading.error} />}
      <QueryBoundary of={notices} waiting={<Skeleton rows={4} />} compact>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.none}>{t.noneMore}</Empty>
          ) : (
            <Table caption={t.caption} columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </QueryBoundary>
    </Section>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Answered, Empty, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";

type Noted = { id: string; text: string; page: string; at: string; is_read: boolean };

/** What one was told of, the newest first, each with the way to it. */
export function Told() {
  const trpc = useTRPC();
  const { notifications } = useTRPCClient();
  const told = useQuery(trpc.notifications.list.queryOptions());
  const refresh = useRefresh(trpc.notifications.list.queryKey(), trpc.notifications.unread.queryKey());
  const reading = useDeed();
  const readAll = () => void reading.run(() => notifications.markRead.mutate({ id: null }), refresh);
  const follow = (id: string) => void notifications.markRead.mutate({ id }).then(refresh, () => {});
  const columns: Column<Noted>[] = [
    {
      id: "text",
      header: "What",
      card: 1,
      cell: ({ id, text, page, is_read }) => (
        <Link href={page} onClick={() => follow(id)} className="told-link" data-unread={!is_read || undefined}>
          {!is_read && <span className="sr-only">Unread: </span>}
          {text}
        </Link>
      ),
    },
    { id: "at", header: "When", align: "end", card: 2.1, cell: ({ at }) => <Time at={at} /> },
  ];
  const some = told.data?.some(({ is_read }) => !is_read) ?? false;
  return (
    <Section
      title="Told"
      aside={
        some && (
          <Button pending={reading.pending} onClick={readAll}>
            Mark all as read
          </Button>
        )
      }
    >
      {reading.error !== null && <Refused error={reading.error} />}
      <Answered of={told} waiting={<Skeleton rows={4} />} compact>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing has wanted you yet">What you are told of is chosen below.</Empty>
          ) : (
            <Table caption="What you were told" columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Answered>
    </Section>
  );
}

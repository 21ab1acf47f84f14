"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { usePage } from "#app/console/_components/dialogs/use-answer.ts";
import { useLiveChanges } from "#app/console/_components/frame/live.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { AuditEntries } from "./audit-entries.tsx";
import { Earlier, Empty, Skeleton, Stale, Trouble } from "./list-states.tsx";

/** What the audit log has of one thing, newest first, and alive: the tab or section that every page about a thing has. */
export function AuditOf({ objectId, what }: { objectId: string; what: string }) {
  const trpc = useTRPC();
  const [cursor, setCursor] = useState<string | null>(null);
  const options = trpc.audit.ofObject.queryOptions(
    { object_id: objectId, ...(cursor && { cursor }) },
    { placeholderData: keepPreviousData },
  );
  const answer = usePage(useQuery(options));
  const { data, error, dataUpdatedAt, isPending, refetch } = answer;
  useLiveChanges(
    ({ object_id }) => object_id === objectId,
    () => void refetch(),
  );
  if (isPending) return <Skeleton rows={4} />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (data.data.length === 0) return <Empty title="Nothing was recorded yet" />;
  const footer = (cursor !== null || data.older_cursor !== null) && (
    <nav className="pagination" aria-label="Pages of the log">
      <Button disabled={cursor === null} onClick={() => setCursor(null)}>
        Newest
      </Button>
      <Button disabled={data.older_cursor === null} onClick={() => setCursor(data.older_cursor)}>
        Older
      </Button>
    </nav>
  );
  return (
    <Earlier of={answer}>
      {error && <Stale since={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      <AuditEntries entries={data.data} caption={`Audit log of ${what}`} footer={footer} />
    </Earlier>
  );
}

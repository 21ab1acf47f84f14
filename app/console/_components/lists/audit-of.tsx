import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { usePage } from "#app/console/_components/dialogs/use-answer.ts";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { useAuditTable } from "./audit-entries.tsx";
import { Empty, QueryBoundary, Skeleton } from "./list-states.tsx";
import { Table } from "./table.tsx";
import { AUDIT_OF } from "./words.ts";

/** The audit entries of one object, newest first, with live updates: a tab or section of the object's page. */
export function AuditOf({ objectId, what }: { objectId: string; what: string }) {
  const t = useTranslations(AUDIT_OF);
  const trpc = useTRPC();
  const [cursor, setCursor] = useState<string | null>(null);
  const options = trpc.audit.ofObject.queryOptions(
    { object_id: objectId, ...(cursor && { cursor }) },
    { placeholderData: keepPreviousData },
  );
  const answer = usePage(useQuery(options));
  const { columns, idOf, drawer } = useAuditTable(false);
  useLiveChanges(
    ({ object_id }) => object_id === objectId,
    () => void answer.refetch(),
  );
  return (
    <QueryBoundary of={answer} waiting={<Skeleton rows={4} />}>
      {({ data, older_cursor: older }) =>
        data.length === 0 ? (
          <Empty title={t.none} />
        ) : (
          <>
            <Table
              caption={t.caption(what)}
              columns={columns}
              rows={data}
              keyOf={idOf}
              footer={
                (cursor !== null || older !== null) && (
                  <nav className="pagination" aria-label={t.pagination}>
                    <Button disabled={cursor === null} onClick={() => setCursor(null)}>
                      {t.newest}
                    </Button>
                    <Button disabled={older === null} onClick={() => setCursor(older)}>
                      {t.older}
                    </Button>
                  </nav>
                )
              }
            />
            {drawer}
          </>
        )
      }
    </QueryBoundary>
  );
}

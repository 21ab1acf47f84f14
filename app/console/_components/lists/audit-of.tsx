import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { usePage } from "#app/console/_components/dialogs/use-answer.ts";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { useAuditTable } from "./audit-entries.tsx";
import { Answered, Empty, Skeleton } from "./list-states.tsx";
import { Table } from "./table.tsx";
import { AUDIT_OF } from "./words.ts";

/** What the audit log has of one thing, newest first, and alive: the tab or section that every page about a thing has. */
export function AuditOf({ objectId, what }: { objectId: string; what: string }) {
  const says = useWords(AUDIT_OF);
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
    <Answered of={answer} waiting={<Skeleton rows={4} />}>
      {({ data, older_cursor: older }) =>
        data.length === 0 ? (
          <Empty title={says.nothingRecordedYet} />
        ) : (
          <>
            <Table
              caption={says.auditLog(what)}
              columns={columns}
              rows={data}
              keyOf={idOf}
              footer={
                (cursor !== null || older !== null) && (
                  <nav className="pagination" aria-label={says.pagesLog}>
                    <Button disabled={cursor === null} onClick={() => setCursor(null)}>
                      {says.newest}
                    </Button>
                    <Button disabled={older === null} onClick={() => setCursor(older)}>
                      {says.older}
                    </Button>
                  </nav>
                )
              }
            />
            {drawer}
          </>
        )
      }
    </Answered>
  );
}

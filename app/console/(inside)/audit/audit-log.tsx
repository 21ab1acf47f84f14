"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useQueryStates } from "nuqs";
import { usePage } from "../../_components/dialogs/use-answer.ts";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { AuditEntries } from "../../_components/lists/audit-entries.tsx";
import { Earlier, Empty, NoMatch, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { Pagination } from "../../_components/lists/pagination.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { ActiveAuditFilters, AuditFilters, activeAuditFilters } from "./audit-filters.tsx";
import { ChainLine } from "./chain-line.tsx";
import { AUDIT_PARAMS, type AuditParams, auditFilterOf, auditPageOf, FROM_THE_TOP, NO_FILTER } from "./search-params.ts";

/** Who did what, and why; walked by position, filtered by the address, sealed by a chain of hashes. */
export function AuditLog({ isOperator }: { isOperator: boolean }) {
  const [params, setParams] = useQueryStates(AUDIT_PARAMS, { history: "push", shallow: true });
  const set = (next: Partial<AuditParams>) => void setParams(next);
  const narrow = (next: Partial<AuditParams>) => set({ ...FROM_THE_TOP, ...next });
  const exported = `/console/audit/export?input=${encodeURIComponent(JSON.stringify(auditFilterOf(params)))}`;
  return (
    <>
      <PageHeader
        title="Audit log"
        actions={
          <>
            <AuditFilters params={params} set={narrow} isOperator={isOperator} />
            <a href={exported} className="button" download>
              <Download aria-hidden size={16} />
              <span className="button-label">Export</span>
            </a>
          </>
        }
      />
      {isOperator && <ChainLine />}
      <ActiveAuditFilters params={params} set={narrow} />
      <Listed params={params} set={set} isOperator={isOperator} />
    </>
  );
}

type ListedProps = { params: AuditParams; set: (next: Partial<AuditParams>) => void; isOperator: boolean };

function Listed({ params, set, isOperator }: ListedProps) {
  const trpc = useTRPC();
  const list = usePage(useQuery(trpc.audit.list.queryOptions(auditPageOf(params), { placeholderData: keepPreviousData })));
  if (list.isPending) return <Skeleton />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  const { data, older_cursor, newer_cursor } = list.data;
  const active = activeAuditFilters(params, []);
  if (data.length === 0 && active.length > 0) {
    return <NoMatch onClear={() => set(NO_FILTER)}>Nothing was recorded with {active.map(({ text }) => text).join(", ")}.</NoMatch>;
  }
  if (data.length === 0) return <Empty title="Nothing was recorded yet" />;
  return (
    <Earlier of={list}>
      {list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      <AuditEntries
        entries={data}
        caption="Audit log, newest first"
        withPartner={isOperator}
        footer={
          <Pagination
            hasNewer={newer_cursor !== null}
            hasOlder={older_cursor !== null}
            onNewer={() => set({ cursor: newer_cursor, direction: "newer" })}
            onOlder={() => set({ cursor: older_cursor, direction: null })}
            limit={auditPageOf(params).limit}
            onLimit={(limit) => set({ ...FROM_THE_TOP, limit })}
          />
        }
      />
    </Earlier>
  );
}

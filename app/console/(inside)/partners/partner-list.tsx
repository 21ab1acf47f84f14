"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { PARTNER_STATUSES } from "#domain/partner.ts";
import { LinkButton } from "../../_components/controls/button.tsx";
import { SearchField } from "../../_components/controls/search-field.tsx";
import { Time } from "../../_components/controls/time.tsx";
import { usePage } from "../../_components/dialogs/use-answer.ts";
import { useLiveChanges } from "../../_components/frame/live.tsx";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { FilterSelect, worded } from "../../_components/lists/filter-fields.tsx";
import { Earlier, Empty, NoMatch, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { Pagination } from "../../_components/lists/pagination.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import type { Partner } from "./answers.ts";
import { PartnerStatus, rolesInWords, Volume } from "./partner-signs.tsx";
import { FROM_THE_TOP, NO_FILTER, PARTNER_PARAMS, type PartnerParams, partnerPageOf } from "./search-params.ts";

type Set = (next: Partial<PartnerParams>) => void;
const STATUS_WORDS = { active: "Active", suspended: "Suspended" };

/** Who uses the service, with what each did within thirty days. */
export function PartnerList({ mayManage }: { mayManage: boolean }) {
  const [params, setParams] = useQueryStates(PARTNER_PARAMS, { history: "push", shallow: true });
  const set: Set = (next) => void setParams(next);
  const held = [
    params.q === null ? null : { text: `contains ${params.q}`, remove: () => set({ ...FROM_THE_TOP, q: null }) },
    params.status === null ? null : { text: STATUS_WORDS[params.status], remove: () => set({ ...FROM_THE_TOP, status: null }) },
  ].filter((each) => each !== null);
  return (
    <>
      <PageHeader
        title="Partners"
        actions={
          <>
            <SearchField
              label="Search partners by name or slug"
              placeholder="Name or slug"
              text={params.q ?? ""}
              onSearch={(q) => set({ ...FROM_THE_TOP, q })}
            />
            <FilterDrawer
              title="Filter partners"
              show="Show partners"
              count={held.length}
              params={params}
              none={NO_FILTER}
              onApply={(next) => set({ ...FROM_THE_TOP, ...next })}
            >
              {(draft, change) => (
                <FilterSelect
                  label="Status"
                  value={draft.status}
                  choices={worded(PARTNER_STATUSES, STATUS_WORDS)}
                  onChoose={(status) => change({ status })}
                />
              )}
            </FilterDrawer>
            {mayManage && (
              <LinkButton look="primary" icon={Plus} href="/console/partners/new">
                New partner
              </LinkButton>
            )}
          </>
        }
      />
      <FilterChips held={held} onClear={() => set(NO_FILTER)} />
      <Listed params={params} set={set} />
    </>
  );
}

function Listed({ params, set }: { params: PartnerParams; set: Set }) {
  const trpc = useTRPC();
  const list = usePage(useQuery(trpc.partners.list.queryOptions(partnerPageOf(params), { placeholderData: keepPreviousData })));
  useLiveChanges(
    ({ action }) => action.startsWith("partner."),
    () => void list.refetch(),
  );
  if (list.isPending) return <Skeleton />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  const { data, older_cursor, newer_cursor } = list.data;
  if (data.length === 0 && (params.q !== null || params.status !== null)) {
    return <NoMatch onClear={() => set(NO_FILTER)}>No partner is like that.</NoMatch>;
  }
  if (data.length === 0) return <Empty title="No partners yet" />;
  return (
    <Earlier of={list}>
      {list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      <Table
        caption="Partners, newest first"
        columns={COLUMNS}
        rows={data}
        keyOf={({ id }) => id}
        card={(row) => <Card row={row} />}
        footer={
          <Pagination
            hasNewer={newer_cursor !== null}
            hasOlder={older_cursor !== null}
            onNewer={() => set({ cursor: newer_cursor, direction: "newer" })}
            onOlder={() => set({ cursor: older_cursor, direction: null })}
            limit={partnerPageOf(params).limit}
            onLimit={(limit) => set({ ...FROM_THE_TOP, limit })}
          />
        }
      />
    </Earlier>
  );
}

const COLUMNS: Column<Partner>[] = [
  { id: "name", header: "Name", pinned: true, cell: ({ id, name }) => <Link href={`/console/partners/${id}`}>{name}</Link> },
  { id: "slug", header: "Slug", cell: ({ slug }) => <code>{slug}</code> },
  { id: "status", header: "Status", cell: ({ status }) => <PartnerStatus status={status} /> },
  { id: "roles", header: "Roles", cell: ({ roles }) => rolesInWords(roles) },
  { id: "fee", header: "Fee", align: "end", cell: ({ charge_fee_percentage }) => `${charge_fee_percentage} %` },
  { id: "volume", header: "Paid out, 30 days", align: "end", cell: ({ volume }) => <Volume volume={volume} /> },
  { id: "members", header: "Members", align: "end", cell: ({ members }) => members.toLocaleString("en") },
  { id: "last", header: "Last activity", cell: (row) => <LastActivity row={row} /> },
];

function LastActivity({ row: { last_activity_at } }: { row: Partner }) {
  return last_activity_at === null ? <span className="none">never</span> : <Time at={last_activity_at} />;
}

function Card({ row }: { row: Partner }) {
  return (
    <>
      <div className="card-line">
        <Link href={`/console/partners/${row.id}`}>{row.name}</Link>
        <PartnerStatus status={row.status} />
      </div>
      <div className="card-line">
        <Volume volume={row.volume} />
        <span className="muted">{row.charge_fee_percentage} %</span>
      </div>
      <div className="card-line muted">
        <span>{row.slug}</span>
        <LastActivity row={row} />
      </div>
    </>
  );
}

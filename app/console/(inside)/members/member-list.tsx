"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { SearchField } from "../../_components/controls/search-field.tsx";
import { usePage } from "../../_components/dialogs/use-answer.ts";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { FilterChips, FilterDrawer, type HeldFilter } from "../../_components/lists/filter-drawer.tsx";
import { chainChoices, FilterSelect, named, worded } from "../../_components/lists/filter-fields.tsx";
import { Earlier, Empty, NoMatch, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { Pagination } from "../../_components/lists/pagination.tsx";
import { Table } from "../../_components/lists/table.tsx";
import { STILL, useStillRows } from "../../_components/lists/use-still-rows.ts";
import { useTRPC, useTRPCClient } from "../../_trpc/client.ts";
import { Card, columnsFor } from "./columns.tsx";
import { NewMember } from "./member-form.tsx";
import { SAFE_WORDS } from "./safe-badge.tsx";
import { FROM_THE_TOP, LIST_PARAMS, type ListParams, MEMBER_SAFES, NO_FILTER, pageOf, type SetParams } from "./search-params.ts";

type Props = { isOperator: boolean; mayManage: boolean };

/** The end customers that one may see: searched, filtered, walked, and their Safes as they come to stand. */
export function MemberList({ isOperator, mayManage }: Props) {
  const [params, setParams] = useQueryStates(LIST_PARAMS, { history: "push", shallow: true });
  const [adding, setAdding] = useState(false);
  const set: SetParams = (next) => void setParams(next);
  useShortcut("n", "New member", () => setAdding(true), mayManage);
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          <>
            <SearchField
              label="Search members by reference, name, phone or wallet"
              placeholder="Reference, name, phone or wallet"
              text={params.q ?? ""}
              onSearch={(q) => set({ ...FROM_THE_TOP, q })}
            />
            <Filters params={params} set={set} isOperator={isOperator} />
            {isOperator && <LinkButton href="/console/members/safes">Safe deployments</LinkButton>}
            {mayManage && (
              <Button look="primary" icon={UserPlus} onClick={() => setAdding(true)} aria-keyshortcuts="n">
                New member
              </Button>
            )}
          </>
        }
      />
      <Held params={params} set={set} />
      <Listed params={params} set={set} isOperator={isOperator} mayManage={mayManage} onAdd={() => setAdding(true)} />
      {mayManage && <NewMember open={adding} onClose={() => setAdding(false)} />}
    </>
  );
}

type PartProps = { params: ListParams; set: SetParams; isOperator: boolean };

function Filters({ params, set, isOperator }: PartProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const apply: SetParams = (next) => set({ ...FROM_THE_TOP, ...next });
  const count = [params.partner, params.safe, params.chain].filter((each) => each !== null).length;
  return (
    <FilterDrawer title="Filter members" show="Show members" none={{ ...NO_FILTER, q: params.q }} onApply={apply} {...{ params, count }}>
      {(draft, change) => (
        <>
          {isOperator && (
            <FilterSelect
              label="Partner"
              value={draft.partner}
              choices={named(data?.partners)}
              onChoose={(partner) => change({ partner })}
            />
          )}
          <FilterSelect label="Safe" value={draft.safe} choices={worded(MEMBER_SAFES, SAFE_WORDS)} onChoose={(safe) => change({ safe })} />
          <FilterSelect label="Chain" value={draft.chain} choices={chainChoices(data?.chains)} onChoose={(chain) => change({ chain })} />
        </>
      )}
    </FilterDrawer>
  );
}

function Held({ params, set }: Omit<PartProps, "isOperator">) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const without = (key: keyof typeof NO_FILTER) => () => set({ ...FROM_THE_TOP, [key]: null });
  const partner = data?.partners.find(({ id }) => id === params.partner)?.name ?? "One partner";
  const held: (HeldFilter | null)[] = [
    params.q === null ? null : { text: `contains ${params.q}`, remove: without("q") },
    params.partner === null ? null : { text: partner, remove: without("partner") },
    params.safe === null ? null : { text: SAFE_WORDS[params.safe], remove: without("safe") },
    params.chain === null ? null : { text: params.chain, remove: without("chain") },
  ];
  return <FilterChips held={held.filter((each) => each !== null)} onClear={() => set(NO_FILTER)} />;
}

function Listed({ params, set, isOperator, mayManage, onAdd }: PartProps & { mayManage: boolean; onAdd: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const page = pageOf(params);
  const options = trpc.members.list.queryOptions(page, { ...STILL, placeholderData: keepPreviousData });
  const list = usePage(useQuery(options));
  const { newer } = useStillRows({
    queryKey: options.queryKey,
    rows: list.data?.data,
    read: () => client.members.list.query(page),
    idOf: ({ member }) => member.id,
    createdAction: "member.created",
    isMoving: ({ member }) => member.safe_status === "deploying",
  });
  if (list.isPending) return <Skeleton />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  const { data, older_cursor, newer_cursor } = list.data;
  const toTop = () => {
    if (params.cursor !== null) set(FROM_THE_TOP);
    void queries.invalidateQueries({ queryKey: options.queryKey });
  };
  return (
    <Earlier of={list}>
      {list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      <div className="new-rows" role="status">
        {newer > 0 && (
          <Button look="primary" onClick={toTop}>
            {newer === 1 ? "1 new member" : `${newer} new members`}
          </Button>
        )}
      </div>
      {data.length === 0 ? (
        <Nothing params={params} set={set} mayManage={mayManage} onAdd={onAdd} />
      ) : (
        <Rows rows={data} isOperator={isOperator}>
          <Pagination
            hasNewer={newer_cursor !== null}
            hasOlder={older_cursor !== null}
            onNewer={() => set({ cursor: newer_cursor, direction: "newer" })}
            onOlder={() => set({ cursor: older_cursor, direction: null })}
            limit={page.limit}
            onLimit={(limit) => set({ limit, ...FROM_THE_TOP })}
          />
        </Rows>
      )}
    </Earlier>
  );
}

function Nothing({ params, set, mayManage, onAdd }: Omit<PartProps, "isOperator"> & { mayManage: boolean; onAdd: () => void }) {
  const isFiltered = [params.q, params.partner, params.safe, params.chain].some((each) => each !== null);
  if (isFiltered) return <NoMatch onClear={() => set(NO_FILTER)}>No member fits what is asked for above.</NoMatch>;
  return (
    <Empty title="No members yet">
      <p>A member is an end customer with a wallet; without one of its own it is given a Safe.</p>
      {mayManage ? <Button onClick={onAdd}>New member</Button> : <LinkButton href="/docs/partner-management">Read how</LinkButton>}
    </Empty>
  );
}

type RowsProps = { rows: Parameters<typeof Card>[0]["row"][]; isOperator: boolean; children: React.ReactNode };

/** J and K walk the rows, Enter opens the one that is marked. */
function Rows({ rows, isOperator, children }: RowsProps) {
  const router = useRouter();
  const [active, setActive] = useState(-1);
  const marked = rows[active];
  const move = (step: number) => setActive((before) => Math.min(rows.length - 1, Math.max(0, before + step)));
  useShortcut("j", "Next row", () => move(1));
  useShortcut("k", "Row before", () => move(-1));
  useShortcut("Enter", "Open the marked row", () => marked && router.push(`/console/members/${marked.member.id}`), marked !== undefined);
  return (
    <Table
      caption="Members, newest first"
      columns={columnsFor(isOperator)}
      rows={rows}
      keyOf={({ member }) => member.id}
      card={(row) => <Card row={row} isOperator={isOperator} />}
      rowProps={(_, index) => ({ "data-active": index === active || undefined })}
      footer={children}
    />
  );
}

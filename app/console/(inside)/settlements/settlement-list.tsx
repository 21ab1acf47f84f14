"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import { Button, LinkButton } from "../../_components/button.tsx";
import { useColumnChoice } from "../../_components/column-choice.tsx";
import { Empty, NoMatch, Skeleton, Stale, Trouble } from "../../_components/list-states.tsx";
import { PageHeader } from "../../_components/page-header.tsx";
import { Pagination } from "../../_components/pagination.tsx";
import { useShortcut } from "../../_components/shortcuts.tsx";
import { Table } from "../../_components/table.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { Card, columnsFor, HIDDEN_AT_FIRST, type Row } from "./columns.tsx";
import { ActiveFilters, activeFilters, Filters, type SetParams } from "./filters.tsx";
import { SearchBox, SearchedAs } from "./search-box.tsx";
import { FROM_THE_TOP, LIST_PARAMS, type ListParams, NO_FILTER, pageOf } from "./search-params.ts";
import { Tiles } from "./tiles.tsx";
import { useLiveRows } from "./use-live-rows.ts";

const STILL = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  meta: { still: true },
} as const;

/** Every settlement that one may see: filtered, searched, walked, and alive without ever moving under the pointer. */
export function SettlementList({ isOperator }: { isOperator: boolean }) {
  const [params, setParams] = useQueryStates(LIST_PARAMS, { history: "push", shallow: true });
  const set: SetParams = (next) => void setParams(next);
  const columns = columnsFor(isOperator);
  const { hidden, chooser } = useColumnChoice("settlements", columns, HIDDEN_AT_FIRST);
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  return (
    <>
      <PageHeader
        title="Settlements"
        actions={
          <>
            <SearchBox text={params.q ?? ""} onSearch={(q) => set({ ...NO_FILTER, q })} />
            <Filters params={params} set={set} isOperator={isOperator} />
            <span className="only-wide">{chooser}</span>
          </>
        }
      />
      <Tiles params={params} set={set} />
      <ActiveFilters params={params} set={set} {...(choices && { partners: choices.partners })} />
      {params.q === null ? (
        <Listed params={params} set={set} isOperator={isOperator} hidden={hidden} />
      ) : (
        <Found text={params.q} params={params} set={set} isOperator={isOperator} hidden={hidden} />
      )}
    </>
  );
}

type PartProps = { params: ListParams; set: SetParams; isOperator: boolean; hidden: ReadonlySet<string> };

function Listed({ params, set, isOperator, hidden }: PartProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const options = trpc.settlements.list.queryOptions(pageOf(params), { ...STILL, placeholderData: keepPreviousData });
  const list = useQuery(options);
  const { changed, newer } = useLiveRows(list.data?.data, options.queryKey, params, list.data?.first_cursor ?? null);
  if (list.isPending) return <Skeleton />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  const { data, older_cursor, newer_cursor } = list.data;
  const toTop = () => {
    if (params.cursor !== null) set(FROM_THE_TOP);
    void queries.invalidateQueries({ queryKey: options.queryKey });
  };
  return (
    <>
      {list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      <div className="new-rows" role="status">
        {newer > 0 && (
          <Button look="primary" onClick={toTop}>
            {newer === 1 ? "1 new settlement" : `${newer >= 100 ? "100+" : newer} new settlements`}
          </Button>
        )}
      </div>
      {data.length === 0 ? (
        <NothingListed params={params} set={set} isOperator={isOperator} />
      ) : (
        <Rows
          rows={data}
          isOperator={isOperator}
          hidden={hidden}
          changed={changed}
          footer={
            <Pagination
              hasNewer={newer_cursor !== null}
              hasOlder={older_cursor !== null}
              onNewer={() => set({ cursor: newer_cursor, direction: "newer" })}
              onOlder={() => set({ cursor: older_cursor, direction: null })}
              limit={pageOf(params).limit}
              onLimit={(limit) => set({ limit, cursor: null, direction: null })}
            />
          }
        />
      )}
    </>
  );
}

function NothingListed({ params, set, isOperator }: Omit<PartProps, "hidden">) {
  const active = activeFilters(params, {});
  if (active.length > 0) {
    return <NoMatch onClear={() => set(NO_FILTER)}>Nothing is {active.map(({ text }) => text).join(", ")}.</NoMatch>;
  }
  return (
    <Empty title="No settlements yet">
      <p>{isOperator ? "They appear here as soon as a partner asks for a quote." : "Create the first quote with your API key."}</p>
      <LinkButton href="/docs">Read how</LinkButton>
    </Empty>
  );
}

function Found({ text, params, set, isOperator, hidden }: PartProps & { text: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const options = trpc.settlements.search.queryOptions({ text, ...(params.as && { as: params.as }) });
  const found = useQuery(options);
  const { changed } = useLiveRows(found.data?.data, options.queryKey, params, null);
  const only = found.data?.data.length === 1 ? found.data.data[0]?.settlement.tx_id : undefined;
  const kind = found.data?.kind ?? "";
  useEffect(() => {
    // Replaced, so that Back leads to the list and not into the search again.
    if (only !== undefined) router.replace(`/console/settlements/${only}?found=${kind}`);
  }, [only, kind, router]);
  if (found.isPending || only !== undefined) return <Skeleton rows={1} label="Searching" />;
  if (!found.data) return <Trouble error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <>
      <SearchedAs kind={found.data.kind} match={found.data.match} onTry={(as) => set({ as })} />
      {found.data.data.length === 0 ? (
        <NoMatch onClear={() => set(NO_FILTER)}>
          No settlement has <code>{text}</code>.
        </NoMatch>
      ) : (
        <Rows rows={found.data.data} isOperator={isOperator} hidden={hidden} changed={changed} />
      )}
    </>
  );
}

type RowsProps = {
  rows: readonly Row[];
  isOperator: boolean;
  hidden: ReadonlySet<string>;
  changed: ReadonlySet<string>;
  footer?: React.ReactNode;
};

/** J and K walk the rows, Enter opens the one that is marked. */
function Rows({ rows, isOperator, hidden, changed, footer }: RowsProps) {
  const router = useRouter();
  const [active, setActive] = useState(-1);
  const idOf = ({ settlement }: Row) => settlement.tx_id;
  const move = (step: number) => setActive((before) => Math.min(rows.length - 1, Math.max(0, before + step)));
  const marked = rows[active];
  useShortcut("j", "Next row", () => move(1));
  useShortcut("k", "Row before", () => move(-1));
  useShortcut("Enter", "Open the marked row", () => marked && router.push(`/console/settlements/${idOf(marked)}`), marked !== undefined);
  useEffect(() => {
    document.querySelector("tr[data-active]")?.scrollIntoView({ block: "nearest" });
  });
  return (
    <Table
      caption="Settlements, newest first"
      columns={columnsFor(isOperator)}
      hidden={hidden}
      rows={rows}
      keyOf={idOf}
      card={(row) => <Card row={row} isOperator={isOperator} />}
      rowProps={(row, index) => ({ "data-changed": changed.has(idOf(row)) || undefined, "data-active": index === active || undefined })}
      footer={footer}
    />
  );
}

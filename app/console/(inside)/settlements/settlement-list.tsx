"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { useColumnChoice } from "../../_components/controls/column-choice.tsx";
import { usePage } from "../../_components/dialogs/use-answer.ts";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { Earlier, Empty, NoMatch, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { Pagination } from "../../_components/lists/pagination.tsx";
import { STILL } from "../../_components/lists/use-still-rows.ts";
import { useTRPC } from "../../_trpc/client.ts";
import { columnsFor, HIDDEN_AT_FIRST } from "./columns.tsx";
import { activeFilters } from "./filter-words.ts";
import { ActiveFilters, Filters } from "./filters.tsx";
import { Found } from "./found.tsx";
import { type PartProps, Rows } from "./rows.tsx";
import { SearchBox } from "./search-box.tsx";
import { FROM_THE_TOP, LIST_PARAMS, type ListParams, NO_FILTER, pageOf, type SetParams } from "./search-params.ts";
import { Tiles } from "./tiles.tsx";
import { useLiveRows } from "./use-live-rows.ts";
import { ViewBar, Views } from "./views.tsx";

const ExportDialog = dynamic(() => import("./export-dialog.tsx").then(({ ExportDialog: Loaded }) => Loaded), { ssr: false });

/** Every settlement that one may see: filtered, searched, walked, and alive without ever moving under the pointer. */
export function SettlementList({ isOperator }: { isOperator: boolean }) {
  const [params, setParams] = useQueryStates(LIST_PARAMS, { history: "push", shallow: true });
  const set: SetParams = (next, options) => void setParams(next, options);
  const columns = columnsFor(isOperator);
  const { hidden, chooser } = useColumnChoice("settlements", columns, HIDDEN_AT_FIRST, {
    value: params.columns,
    set: (value) => set({ columns: value }, { history: "replace" }),
  });
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const [exporting, setExporting] = useState<readonly string[] | "all" | null>(null);
  useShortcut("e", "Export this list", () => setExporting("all"), params.q === null);
  const parts = { params, set, isOperator, hidden, onExport: setExporting };
  return (
    <>
      <PageHeader
        title="Settlements"
        actions={
          <>
            <SearchBox text={params.q ?? ""} onSearch={(q) => set({ ...NO_FILTER, q })} />
            <Filters params={params} set={set} isOperator={isOperator} />
            <span className="only-wide">{chooser}</span>
            {params.q === null && (
              <span className="only-wide">
                <Button icon={Download} aria-keyshortcuts="e" onClick={() => setExporting("all")}>
                  Export
                </Button>
              </span>
            )}
          </>
        }
      />
      <div className="lists">
        <Views params={params} set={set} isOperator={isOperator} />
        <Tiles params={params} set={set} />
      </div>
      <ViewBar params={params} set={set} isOperator={isOperator} />
      <ActiveFilters params={params} set={set} {...(choices && { partners: choices.partners })} />
      {params.q === null ? <Listed {...parts} /> : <Found text={params.q} {...parts} />}
      {exporting !== null && (
        <ExportDialog
          params={params}
          txIds={exporting === "all" ? null : exporting}
          isOperator={isOperator}
          partners={choices?.partners ?? []}
          onClose={() => setExporting(null)}
        />
      )}
    </>
  );
}

function Listed({ params, set, isOperator, hidden, onExport }: PartProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const options = trpc.settlements.list.queryOptions(pageOf(params), { ...STILL, placeholderData: keepPreviousData });
  const list = usePage(useQuery(options));
  const { changed, newer } = useLiveRows(list.data?.data, options.queryKey, params, list.data?.first_cursor ?? null);
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
            {newer === 1 ? "1 new settlement" : `${newer >= 100 ? "100+" : newer} new settlements`}
          </Button>
        )}
      </div>
      {data.length === 0 ? (
        <NothingListed params={params} set={set} isOperator={isOperator} />
      ) : (
        <Rows
          rows={data}
          params={params}
          set={set}
          isOperator={isOperator}
          hidden={hidden}
          changed={changed}
          onExport={onExport}
          footer={
            <Pagination
              hasNewer={newer_cursor !== null}
              hasOlder={older_cursor !== null}
              onNewer={() => set({ cursor: newer_cursor, direction: "newer", peek: null })}
              onOlder={() => set({ cursor: older_cursor, direction: null, peek: null })}
              limit={pageOf(params).limit}
              onLimit={(limit) => set({ limit, cursor: null, direction: null })}
              total={<Total params={params} />}
            />
          }
        />
      )}
    </Earlier>
  );
}

/** How many fit, to ten thousand. */
function Total({ params }: { params: ListParams }) {
  const trpc = useTRPC();
  const { cursor: _, limit: __, direction: ___, ...filter } = pageOf(params);
  const { data } = useQuery(trpc.settlements.count.queryOptions(filter));
  return data ? `${data.count.toLocaleString("en")}${data.more ? "+" : ""} in all` : null;
}

function NothingListed({ params, set, isOperator }: Pick<PartProps, "params" | "set" | "isOperator">) {
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

"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { useColumnChoice } from "../../_components/controls/column-choice.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import type { Narrowing } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { SearchField } from "../../_components/lists/search-field.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { WALKED_STILL } from "../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { columnsFor, HIDDEN_AT_FIRST } from "./columns.tsx";
import { Found } from "./found.tsx";
import { type PartProps, Rows } from "./rows.tsx";
import { filterOf, type ListParams, pageOf, SETTLEMENTS } from "./search-params.ts";
import { Tiles } from "./tiles.tsx";
import { useLiveRows } from "./use-live-rows.ts";
import { useSettlementFilters } from "./use-settlement-filters.ts";
import { ViewBar, Views } from "./views.tsx";
import { COLUMNS, SETTLEMENT_LIST } from "./words.ts";

const ExportDialog = lazyComponent(() => import("./export-dialog.tsx").then(({ ExportDialog: Loaded }) => Loaded));

/** The settlements that the user may see, with filters, search, pages, and live updates that never move rows under the pointer. */
export function SettlementList({ isOperator, mayDecide }: { isOperator: boolean; mayDecide: boolean }) {
  const t = useTranslations(SETTLEMENT_LIST);
  const [params, set] = useAddressParams(SETTLEMENTS.params);
  const narrowing = useSettlementFilters(params, set, isOperator);
  const columns = columnsFor(isOperator, useTranslations(COLUMNS));
  const { hidden, chooser } = useColumnChoice("settlements", columns, HIDDEN_AT_FIRST, {
    value: params.columns,
    set: (value) => set({ columns: value }, { history: "replace" }),
  });
  const [exporting, setExporting] = useState<readonly string[] | "all" | null>(null);
  useShortcut("e", t.exportList, () => setExporting("all"), params.q === null);
  const parts = { isOperator, mayDecide, hidden, onExport: setExporting };
  return (
    <>
      <PageHeader
        title={t.settlements}
        actions={
          <>
            <SearchField of={narrowing} by={t.searchedBy} onSearch={(q) => set({ ...SETTLEMENTS.noFilter, q })} />
            <FilterDrawer of={narrowing} />
            <span className="only-wide">{chooser}</span>
            {params.q === null && (
              <span className="only-wide">
                <Button icon={Download} aria-keyshortcuts="e" onClick={() => setExporting("all")}>
                  {t.export}
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
      <FilterChips of={narrowing} />
      {params.q === null ? <Listed of={narrowing} {...parts} /> : <Found text={params.q} params={params} set={set} {...parts} />}
      {exporting !== null && (
        <ExportDialog
          params={params}
          txIds={exporting === "all" ? null : exporting}
          isOperator={isOperator}
          words={exporting === "all" ? narrowing.held.map(({ text }) => text) : []}
          onClose={() => setExporting(null)}
        />
      )}
    </>
  );
}

function Listed({ of, isOperator, mayDecide, hidden, onExport }: Omit<PartProps, "params" | "set"> & { of: Narrowing<ListParams> }) {
  const t = useTranslations(SETTLEMENT_LIST);
  const trpc = useTRPC();
  const { params, set } = of;
  const page = pageOf(params);
  const options = trpc.settlements.list.queryOptions(page, WALKED_STILL);
  const query = useQuery(options);
  const answered = query.isPlaceholderData ? undefined : query.data;
  const { changed, newer } = useLiveRows(answered?.data, options.queryKey, params, answered?.first_cursor ?? null);
  return (
    <WalkedList
      of={of}
      query={query}
      subject={trpc.settlements.pathKey()}
      limit={page.limit}
      newer={newer}
      total={<Total params={params} />}
      nothing={(held) => t.noMatch(held)}
      empty={
        <Empty title={t.noSettlementsYet} more={isOperator ? t.noneMoreOperator : t.noneMorePartner}>
          <LinkButton href="/docs">{t.readHow}</LinkButton>
        </Empty>
      }
    >
      {(rows, footer) => (
        <Rows
          rows={rows}
          footer={footer}
          params={params}
          set={set}
          isOperator={isOperator}
          mayDecide={mayDecide}
          hidden={hidden}
          changed={changed}
          onExport={onExport}
        />
      )}
    </WalkedList>
  );
}

/** The number of matches, up to ten thousand. */
function Total({ params }: { params: ListParams }) {
  const t = useTranslations(SETTLEMENT_LIST);
  const { data } = useQuery(useTRPC().settlements.count.queryOptions(filterOf(params)));
  return data ? t.total(t.format.count(data.count), data.more) : null;
}

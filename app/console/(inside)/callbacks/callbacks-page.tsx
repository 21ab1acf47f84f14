"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { useListParams } from "../../_components/lists/use-list-params.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { CallbackGroups } from "./callback-groups.tsx";
import { CallbackList } from "./callback-list.tsx";
import { Endpoints } from "./endpoints.tsx";
import { ResendDialog, type Selection } from "./resend-dialog.tsx";
import { CALLBACKS, scopeOf, TABS } from "./search-params.ts";
import { useCallbackFilters } from "./use-callback-filters.ts";

/** Attempts are told nowhere: the numbers are looked at again now and then. */
const LOOK_MS = 10_000;

/** What is owed to receivers, what they did not take, and how they do. */
export function CallbacksPage({ isOperator, mayResend }: { isOperator: boolean; mayResend: boolean }) {
  const trpc = useTRPC();
  const [params, set] = useListParams(CALLBACKS);
  const narrowing = useCallbackFilters(params, set, isOperator);
  const [selection, setSelection] = useState<Selection | null>(null);
  const scope = scopeOf(params);
  const { data: counts } = useQuery(trpc.callbacks.counts.queryOptions(scope, { refetchInterval: LOOK_MS }));
  useLiveChanges(({ action }) => action.startsWith("callback") || action.startsWith("settlement."), useRefresh(trpc.callbacks.pathKey()));
  const list = (
    <CallbackList
      of={narrowing}
      isOperator={isOperator}
      retrying={counts?.retrying ?? null}
      onResend={mayResend ? setSelection : null}
      key={params.tab}
    />
  );
  const work = (state: "undelivered" | "retrying") => (
    <>
      <CallbackGroups state={state} params={params} set={set} isOperator={isOperator} onResend={mayResend ? setSelection : null} />
      {list}
    </>
  );
  return (
    <>
      <PageHeader title="Callbacks" actions={<FilterDrawer of={narrowing} />} />
      <FilterChips of={narrowing} />
      <Tabs
        label="Callbacks"
        value={params.tab}
        onChange={(value) => set({ ...CALLBACKS.fromTheTop, state: null, cause: null, tab: TABS.find((tab) => tab === value) ?? null })}
        tabs={[
          { ...{ value: "undelivered", label: "Undelivered", content: work("undelivered") }, ...countOf(counts?.undelivered) },
          { ...{ value: "retrying", label: "Retrying", content: work("retrying") }, ...countOf(counts?.pending) },
          { value: "all", label: "All", content: list },
          { value: "endpoints", label: "Endpoints", content: <Endpoints scope={scope} isOperator={isOperator} mayPause={mayResend} /> },
        ]}
      />
      <ResendDialog selection={selection} onClose={() => setSelection(null)} />
    </>
  );
}

function countOf(count: number | undefined): { count?: number } {
  return count === undefined || count === 0 ? {} : { count };
}

"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { useLiveChanges } from "../../_components/frame/live.tsx";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { CallbackFilterChips, CallbackFilters } from "./callback-filters.tsx";
import { CallbackGroups } from "./callback-groups.tsx";
import { CallbackList } from "./callback-list.tsx";
import { Endpoints } from "./endpoints.tsx";
import { ResendDialog, type Selection } from "./resend-dialog.tsx";
import { CALLBACK_PARAMS, FROM_THE_TOP, type SetParams, scopeOf, TABS } from "./search-params.ts";

/** Attempts are told nowhere: the numbers are looked at again now and then. */
const LOOK_MS = 10_000;

/** What is owed to receivers, what they did not take, and how they do. */
export function CallbacksPage({ isOperator, mayResend }: { isOperator: boolean; mayResend: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [params, setParams] = useQueryStates(CALLBACK_PARAMS, { history: "push", shallow: true });
  const [selection, setSelection] = useState<Selection | null>(null);
  const set: SetParams = (next) => void setParams(next);
  const scope = scopeOf(params);
  const { data: counts } = useQuery(trpc.callbacks.counts.queryOptions(scope, { refetchInterval: LOOK_MS }));
  useLiveChanges(
    ({ action }) => action.startsWith("callback") || action.startsWith("settlement."),
    () => void queries.invalidateQueries({ queryKey: trpc.callbacks.pathKey() }),
  );
  const groups = (state: "undelivered" | "retrying") => (
    <CallbackGroups state={state} params={params} set={set} isOperator={isOperator} onResend={mayResend ? setSelection : null} />
  );
  const list = (
    <CallbackList
      params={params}
      set={set}
      isOperator={isOperator}
      retrying={counts?.retrying ?? null}
      onResend={mayResend ? setSelection : null}
      key={params.tab}
    />
  );
  return (
    <>
      <PageHeader title="Callbacks" actions={<CallbackFilters params={params} set={set} isOperator={isOperator} />} />
      <CallbackFilterChips params={params} set={set} />
      <Tabs
        label="Callbacks"
        value={params.tab}
        onChange={(value) => set({ ...FROM_THE_TOP, state: null, cause: null, tab: TABS.find((tab) => tab === value) ?? null })}
        tabs={[
          {
            value: "undelivered",
            label: "Undelivered",
            ...countOf(counts?.undelivered),
            content: (
              <>
                {groups("undelivered")}
                {list}
              </>
            ),
          },
          {
            value: "retrying",
            label: "Retrying",
            ...countOf(counts?.pending),
            content: (
              <>
                {groups("retrying")}
                {list}
              </>
            ),
          },
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

"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CALLBACK_EVENTS, CALLBACK_STATES } from "#domain/callback.ts";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { days, type Narrowing, narrow, partnerFilter, plain, worded } from "../../_components/lists/filters.ts";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { FILTERS } from "../../_components/lists/words.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { CallbackGroups } from "./callback-groups.tsx";
import { CallbackList } from "./callback-list.tsx";
import { Endpoints } from "./endpoints.tsx";
import { CALLBACKS_PAGE, USE_CALLBACK_FILTERS } from "./list-words.ts";
import type { Selection } from "./resend-dialog.tsx";
import { CALLBACKS, type CallbackParams, type SetParams, scopeOf, TABS } from "./search-params.ts";
import { causeWord } from "./signs.ts";
import { CALLBACK_WORDS, EVENT_WORDS } from "./state-words.ts";

const ResendDialog = lazyComponent(() => import("./resend-dialog.tsx").then(({ ResendDialog: Loaded }) => Loaded));

/** No event announces attempts, so the numbers are polled. */
const LOOK_MS = 10_000;

/** Callbacks that are due or undelivered, and the health of their receivers. */
export function CallbacksPage({ isOperator, mayResend }: { isOperator: boolean; mayResend: boolean }) {
  const t = useTranslations(CALLBACKS_PAGE);
  const trpc = useTRPC();
  const [params, set] = useAddressParams(CALLBACKS.params);
  const narrowing = useCallbackFilters(params, set, isOperator);
  const [selection, setSelection] = useState<Selection | null>(null);
  const scope = scopeOf(params);
  const { data: counts } = useQuery(trpc.callbacks.counts.queryOptions(scope, { refetchInterval: LOOK_MS }));
  useLiveChanges(({ action }) => action.startsWith("callback") || action.startsWith("settlement."), useRefresh(trpc.callbacks.pathKey()));
  const list = (
    <CallbackList
      of={narrowing}
      isOperator={isOperator}
      counts={counts ?? null}
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
      <PageHeader title={t.callbacks} actions={<FilterDrawer of={narrowing} />} />
      <FilterChips of={narrowing} />
      <Tabs
        label={t.callbacks}
        value={params.tab}
        onChange={(value) => set({ ...CALLBACKS.fromTheTop, state: null, cause: null, tab: TABS.find((tab) => tab === value) ?? null })}
        tabs={[
          { value: "undelivered", label: t.undelivered, content: work("undelivered"), ...countOf(counts?.undelivered) },
          { value: "retrying", label: t.retrying, content: work("retrying"), ...countOf(counts?.pending) },
          { value: "all", label: t.all, content: list },
          { value: "endpoints", label: t.endpoints, content: <Endpoints scope={scope} isOperator={isOperator} mayPause={mayResend} /> },
        ]}
      />
      <ResendDialog open={selection !== null} selection={selection} onClose={() => setSelection(null)} />
    </>
  );
}

function countOf(count: number | undefined): { count?: number } {
  return count === undefined || count === 0 ? {} : { count };
}

const HOUR_MS = 3_600_000;

/** The filters of callbacks. Causes come from the groups above the list, and on all tabs but one the tab determines the state. */
function useCallbackFilters(params: CallbackParams, set: SetParams, isOperator: boolean): Narrowing<CallbackParams> {
  const t = useTranslations(USE_CALLBACK_FILTERS);
  const [events, words, filters] = [useTranslations(EVENT_WORDS), useTranslations(CALLBACK_WORDS), useTranslations(FILTERS)];
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: isOperator }));
  const { data: endpoints } = useQuery(trpc.callbacks.endpoints.queryOptions(scopeOf(params), { staleTime: HOUR_MS }));
  const origins = [...new Set([...(endpoints?.data ?? []).map(({ origin }) => origin), ...(params.origin ? [params.origin] : [])])].sort();
  const states = worded(CALLBACK_STATES, t.states);
  return narrow(CALLBACKS, {
    params,
    set,
    one: t.callbackNoun,
    many: t.callbacks,
    filters: [
      isOperator && partnerFilter(choices?.partners, filters),
      {
        name: "state",
        choices: states,
        held: (state) => states.find(({ value }) => value === state)?.label.toLowerCase() ?? state,
        ...(params.tab === "all" && { label: t.state }),
      },
      { name: "event", label: t.event, choices: worded(CALLBACK_EVENTS, events) },
      { name: "cause", held: (cause) => causeWord(cause, words) },
      { name: "origin", label: t.receiver, choices: plain(origins), held: (origin) => t.to(origin) },
      { name: "subject", label: t.about, hint: t.idHint, held: (id) => t.aboutId(id) },
      days(["from", "to"], [t.createdFromUtc, t.createdTo], filters),
    ],
  });
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { OverviewLook } from "#domain/overview-range.ts";
import type { Answers } from "#server/console/router.ts";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { askedOf } from "./search-params.ts";

/** `others`: approved by the user, and waiting for another person. `confirm`: proposals of other people. */
export type Asked = { others: number; confirm: number };
export type Now = Answers["overview"]["now"];
export type Figures = Answers["overview"]["figures"];
export type SeriesOfRange = Answers["overview"]["series"];

/** The most often that present figures are read again, however much happens; plots are read rarely. */
const NOW_EVERY_MS = 1_000;
const PLOTS_EVERY_MS = 15_000;
/** Changes that no event announces: the first signed call, a delivered callback, a rate that became stale. */
const LOOK_ANEW_MS = 15_000;
const LOOK_ANEW_WHILE_SETTING_UP_MS = 3_000;

/** The overview's queries, repeated when something has happened. */
export function useOverview(look: OverviewLook, isOperator: boolean) {
  const trpc = useTRPC();
  const now = useAnswer(
    useQuery(
      trpc.overview.now.queryOptions(undefined, {
        refetchInterval: ({ state }) => (state.data?.setup ? LOOK_ANEW_WHILE_SETTING_UP_MS : LOOK_ANEW_MS),
      }),
    ),
  );
  const figures = useAnswer(useQuery(trpc.overview.figures.queryOptions(askedOf(look), { placeholderData: keepPreviousData })));
  const series = useAnswer(useQuery(trpc.overview.series.queryOptions(askedOf(look), { placeholderData: keepPreviousData })));
  const newest = useAnswer(useQuery(trpc.overview.newest.queryOptions(undefined, { enabled: !isOperator })));
  const readNow = useSeldom(NOW_EVERY_MS, useRefresh(trpc.overview.now.queryKey(), trpc.overview.newest.queryKey()));
  const readPlots = useSeldom(PLOTS_EVERY_MS, useRefresh(trpc.overview.figures.queryKey(), trpc.overview.series.queryKey()));
  useLiveChanges(
    ({ action }) => /^(settlement|callback|callbacks|exchange_rate|pair_terms|wallet|api_key)\./.test(action),
    () => {
      readNow();
      readPlots();
    },
  );
  return { now, figures, series, newest };
}

/** What is asked of an operator's person: their yes to proposals of others, and what waits for another person after theirs. */
export function useAsked(isOperator: boolean, mayConfirm: boolean): Asked {
  const trpc = useTRPC();
  const counts = useQuery(trpc.approvals.counts.queryOptions(undefined, { enabled: isOperator })).data;
  const proposals = useQuery(trpc.proposals.list.queryOptions(undefined, { enabled: mayConfirm, refetchInterval: LOOK_ANEW_MS })).data;
  const confirm = proposals?.open.filter(({ proposed_by }) => !proposed_by.is_asker).length ?? 0;
  return { others: counts?.others ?? 0, confirm };
}

/** Runs soon, but at most once per interval however often it is called. */
function useSeldom(everyMs: number, act: () => void): () => void {
  const held = useRef(act);
  held.current = act;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => void (timer.current && clearTimeout(timer.current)), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      held.current();
    }, everyMs);
  };
}

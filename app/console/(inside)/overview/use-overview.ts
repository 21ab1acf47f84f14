import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { OverviewLook } from "#domain/overview-range.ts";
import type { Answers } from "#server/console/router.ts";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { askedOf } from "./search-params.ts";

export type Now = Answers["overview"]["now"];
export type Figures = Answers["overview"]["figures"];
export type SeriesOfRange = Answers["overview"]["series"];

/** However busy it is, what stands now is read again at most so often, and the plots rarely. */
const NOW_EVERY_MS = 1_000;
const PLOTS_EVERY_MS = 15_000;
/** What no change tells of: the first signed call, a callback that was taken, a rate that grew old. */
const LOOK_ANEW_MS = 15_000;
const LOOK_ANEW_WHILE_SETTING_UP_MS = 3_000;

/** The overview's questions, asked again when something has happened. */
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

/** Does it soon, and however often it is asked for, only once in a while. */
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

import { useQuery } from "@tanstack/react-query";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { days, type Narrowing, narrow, partnerFilter, plain, worded } from "../../_components/lists/filters.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { CALLBACKS, type CallbackParams, type SetParams, scopeOf } from "./search-params.ts";
import { causeWord, EVENT_WORDS } from "./words.ts";

const STATE_WORDS = { pending: "Queued or retrying", delivered: "Delivered", undelivered: "Undelivered" };
const HOUR_MS = 3_600_000;

/** By what callbacks are narrowed. Causes come from the groups above the list, and the tab says the state of all but one. */
export function useCallbackFilters(params: CallbackParams, set: SetParams, isOperator: boolean): Narrowing<CallbackParams> {
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: isOperator }));
  const { data: endpoints } = useQuery(trpc.callbacks.endpoints.queryOptions(scopeOf(params), { staleTime: HOUR_MS }));
  const origins = [...new Set([...(endpoints?.data ?? []).map(({ origin }) => origin), ...(params.origin ? [params.origin] : [])])].sort();
  const states = worded(CALLBACK_STATES, STATE_WORDS);
  return narrow(CALLBACKS, {
    ...{ params, set, one: "callback", many: "callbacks" },
    filters: [
      isOperator && partnerFilter(choices?.partners),
      {
        ...{ name: "state", choices: states, held: (state) => states.find(({ value }) => value === state)?.label.toLowerCase() ?? state },
        ...(params.tab === "all" && { label: "State" }),
      },
      { name: "event", label: "Event", choices: Object.entries(EVENT_WORDS).map(([value, label]) => ({ value, label })) },
      { name: "cause", held: causeWord },
      { name: "origin", label: "Receiver", choices: plain(origins), held: (origin) => `to ${origin}` },
      { name: "subject", label: "About", hint: "The whole id: tx_…, wd_… or tu_…", held: (id) => `about ${id}` },
      days(["from", "to"], ["Created from (UTC)", "to, included"]),
    ],
  });
}

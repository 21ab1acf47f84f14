import { useQuery } from "@tanstack/react-query";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { days, type Narrowing, narrow, partnerFilter, plain, worded } from "../../_components/lists/filters.ts";
import { FILTERS } from "../../_components/lists/words.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { USE_CALLBACK_FILTERS } from "./list-words.ts";
import { CALLBACKS, type CallbackParams, type SetParams, scopeOf } from "./search-params.ts";
import { causeWord } from "./signs.ts";
import { CALLBACK_WORDS, EVENT_WORDS } from "./state-words.ts";

const HOUR_MS = 3_600_000;

/** By what callbacks are narrowed. Causes come from the groups above the list, and the tab says the state of all but one. */
export function useCallbackFilters(params: CallbackParams, set: SetParams, isOperator: boolean): Narrowing<CallbackParams> {
  const says = useWords(USE_CALLBACK_FILTERS);
  const [events, words, filters] = [useWords(EVENT_WORDS), useWords(CALLBACK_WORDS), useWords(FILTERS)];
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: isOperator }));
  const { data: endpoints } = useQuery(trpc.callbacks.endpoints.queryOptions(scopeOf(params), { staleTime: HOUR_MS }));
  const origins = [...new Set([...(endpoints?.data ?? []).map(({ origin }) => origin), ...(params.origin ? [params.origin] : [])])].sort();
  const states = worded(CALLBACK_STATES, says.stateWords);
  return narrow(CALLBACKS, {
    ...{ params, set, one: says.callback, many: says.callbacks },
    filters: [
      isOperator && partnerFilter(choices?.partners, filters),
      {
        ...{ name: "state", choices: states, held: (state) => states.find(({ value }) => value === state)?.label.toLowerCase() ?? state },
        ...(params.tab === "all" && { label: says.state }),
      },
      { name: "event", label: says.event, choices: Object.entries(events).map(([value, label]) => ({ value, label })) },
      { name: "cause", held: (cause) => causeWord(cause, words) },
      { name: "origin", label: says.receiver, choices: plain(origins), held: (origin) => says.to(origin) },
      { name: "subject", label: says.about, hint: says.wholeIdTx, held: (id) => says.about2(id) },
      days(["from", "to"], [says.createdFromUtc, says.included], filters),
    ],
  });
}

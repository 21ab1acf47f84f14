import { useQuery } from "@tanstack/react-query";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { days, type Narrowing, narrow, partnerFilter, plain, worded } from "../../_components/lists/filters.ts";
import { FILTERS } from "../../_components/lists/words.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { USE_CALLBACK_FILTERS } from "./list-words.ts";
import { CALLBACKS, type CallbackParams, type SetParams, scopeOf } from "./search-params.ts";
import { causeWord } from "./signs.ts";
import { CALLBACK_WORDS, EVENT_WORDS } from "./state-words.ts";

const HOUR_MS = 3_600_000;

/** The filters of callbacks. Causes come from the groups above the list, and on all tabs but one the tab determines the state. */
export function useCallbackFilters(params: CallbackParams, set: SetParams, isOperator: boolean): Narrowing<CallbackParams> {
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
    one: t.callback,
    many: t.callbacks,
    filters: [
      isOperator && partnerFilter(choices?.partners, filters),
      {
        name: "state",
        choices: states,
        held: (state) => states.find(({ value }) => value === state)?.label.toLowerCase() ?? state,
        ...(params.tab === "all" && { label: t.state }),
      },
      { name: "event", label: t.event, choices: Object.entries(events).map(([value, label]) => ({ value, label })) },
      { name: "cause", held: (cause) => causeWord(cause, words) },
      { name: "origin", label: t.receiver, choices: plain(origins), held: (origin) => t.to(origin) },
      { name: "subject", label: t.about, hint: t.idHint, held: (id) => t.aboutId(id) },
      days(["from", "to"], [t.createdFromUtc, t.createdTo], filters),
    ],
  });
}

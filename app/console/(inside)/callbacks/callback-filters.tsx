"use client";

import { useQuery } from "@tanstack/react-query";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { FilterChips, FilterDrawer, type HeldFilter } from "../../_components/lists/filter-drawer.tsx";
import { FilterSelect, FilterText, named, plain, worded } from "../../_components/lists/filter-fields.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { type CallbackParams, FROM_THE_TOP, NO_FILTER, type SetParams, scopeOf } from "./search-params.ts";
import { EVENT_WORDS, kindWord } from "./words.ts";

type FilterProps = { params: CallbackParams; set: SetParams; isOperator: boolean };

const STATE_WORDS = { pending: "Queued or retrying", delivered: "Delivered", undelivered: "Undelivered" };
const HOUR_MS = 3_600_000;

export function CallbackFilters({ params, set, isOperator }: FilterProps) {
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: isOperator }));
  const { data: endpoints } = useQuery(trpc.callbacks.endpoints.queryOptions(scopeOf(params), { staleTime: HOUR_MS }));
  const origins = [...new Set([...(endpoints?.data ?? []).map(({ origin }) => origin), ...(params.origin ? [params.origin] : [])])].sort();
  return (
    <FilterDrawer
      title="Filter callbacks"
      show="Show callbacks"
      count={heldOf(params, {}).length}
      params={params}
      none={NO_FILTER}
      onApply={(next) => set({ ...FROM_THE_TOP, ...next })}
    >
      {(draft, change) => (
        <>
          {isOperator && (
            <FilterSelect
              label="Partner"
              value={draft.partner}
              choices={named(choices?.partners)}
              onChoose={(partner) => change({ partner })}
            />
          )}
          {draft.tab === "all" && (
            <FilterSelect
              label="State"
              value={draft.state}
              choices={worded(CALLBACK_STATES, STATE_WORDS)}
              onChoose={(state) => change({ state })}
            />
          )}
          <FilterSelect
            label="Event"
            value={draft.event}
            choices={Object.entries(EVENT_WORDS).map(([value, label]) => ({ value, label }))}
            onChoose={(event) => change({ event })}
          />
          <FilterSelect label="Receiver" value={draft.origin} choices={plain(origins)} onChoose={(origin) => change({ origin })} />
          <FilterText
            label="About"
            hint="The whole id: tx_…, wd_… or tu_…"
            value={draft.subject}
            onChange={(subject) => change({ subject })}
          />
          <div className="field-row">
            <FilterText label="Created from (UTC)" type="date" value={draft.from} onChange={(from) => change({ from })} />
            <FilterText label="to, included" type="date" value={draft.to} onChange={(to) => change({ to })} />
          </div>
        </>
      )}
    </FilterDrawer>
  );
}

export function CallbackFilterChips({ params, set }: Omit<FilterProps, "isOperator">) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: params.partner !== null }));
  const held: HeldFilter[] = heldOf(params, data ?? {}).map(({ text, without }) => ({
    text,
    remove: () => set({ ...FROM_THE_TOP, ...without }),
  }));
  return <FilterChips held={held} onClear={() => set(NO_FILTER)} />;
}

type Held = { text: string; without: Parameters<SetParams>[0] };

/** The filters that hold, in words, each with what takes it away. */
export function heldOf(params: CallbackParams, { partners }: { partners?: readonly { id: string; name: string }[] }): Held[] {
  const { partner, state, event, origin, cause, subject, from, to } = params;
  const candidates: (Held | null | false)[] = [
    partner !== null && { text: partners?.find(({ id }) => id === partner)?.name ?? "one partner", without: { partner: null } },
    state !== null && { text: STATE_WORDS[state].toLowerCase(), without: { state: null } },
    event !== null && { text: EVENT_WORDS[event] ?? event, without: { event: null } },
    cause !== null && { text: causeWord(cause), without: { cause: null } },
    origin !== null && { text: `to ${origin}`, without: { origin: null } },
    subject !== null && { text: `about ${subject}`, without: { subject: null } },
    from !== null && { text: `since ${from}`, without: { from: null } },
    to !== null && { text: `until ${to}`, without: { to: null } },
  ];
  return candidates.filter((each): each is Held => Boolean(each));
}

function causeWord(cause: string): string {
  const status = /^http_(\d+)$/.exec(cause)?.[1];
  return status === undefined ? kindWord(cause) : `answered ${status}`;
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { FilterSelect, FilterText, named } from "../../_components/lists/filter-fields.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { type AuditParams, NO_FILTER } from "./search-params.ts";

type Set = (next: Partial<AuditParams>) => void;
type Props = { params: AuditParams; set: Set; isOperator: boolean };

const KINDS = [
  { value: "people", label: "All people" },
  { value: "keys", label: "All keys" },
  { value: "system", label: "The service itself" },
];

/** `partner.charge_fee_updated` as `Partner: charge fee updated`. */
export function actionWords(action: string): string {
  const words = action.replaceAll("_", " ").replace(".", ": ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function AuditFilters({ params, set, isOperator }: Props) {
  const count = activeAuditFilters(params, []).length;
  return (
    <FilterDrawer title="Filter the audit log" show="Show entries" none={NO_FILTER} onApply={set} {...{ params, count }}>
      {(draft, change) => <Fields params={draft} set={change} isOperator={isOperator} />}
    </FilterDrawer>
  );
}

function Fields({ params, set, isOperator }: Props) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const partners = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: isOperator }));
  return (
    <>
      <FilterSelect
        label="Who"
        any="Anybody"
        value={params.actor}
        choices={[...KINDS, ...named(data?.actors)]}
        onChoose={(actor) => set({ actor })}
      />
      <FilterSelect
        label="Action"
        value={params.action}
        choices={(data?.actions ?? []).map((value) => ({ value, label: actionWords(value) }))}
        onChoose={(action) => set({ action })}
      />
      <FilterText
        label="Object"
        hint="The whole id: tx_…, a partner's, a key's"
        value={params.object}
        onChange={(object) => set({ object })}
      />
      {isOperator && (
        <FilterSelect
          label="Partner"
          value={params.partner}
          choices={named(partners.data?.partners)}
          onChoose={(partner) => set({ partner })}
        />
      )}
      <div className="field-row">
        <FilterText label="From (UTC)" type="date" value={params.from} onChange={(from) => set({ from })} />
        <FilterText label="to, included" type="date" value={params.to} onChange={(to) => set({ to })} />
      </div>
    </>
  );
}

type Active = { text: string; without: Partial<AuditParams> };

/** The filters that hold, in words, each with what takes it away. */
export function activeAuditFilters(params: AuditParams, actors: readonly { id: string; name: string }[]): Active[] {
  const { actor, action, object, partner, from, to } = params;
  const who = KINDS.find(({ value }) => value === actor)?.label ?? actors.find(({ id }) => id === actor)?.name ?? "one person";
  const all: (Active | false)[] = [
    actor !== null && { text: who, without: { actor: null } },
    action !== null && { text: actionWords(action), without: { action: null } },
    object !== null && { text: `object ${object}`, without: { object: null } },
    partner !== null && { text: "one partner", without: { partner: null } },
    from !== null && { text: `since ${from}`, without: { from: null } },
    to !== null && { text: `until ${to}`, without: { to: null } },
  ];
  return all.filter((each) => each !== false);
}

export function ActiveAuditFilters({ params, set }: { params: AuditParams; set: Set }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const active = activeAuditFilters(params, data?.actors ?? []);
  const held = active.map(({ text, without }) => ({ text, remove: () => set(without) }));
  return <FilterChips held={held} onClear={() => set(NO_FILTER)} />;
}

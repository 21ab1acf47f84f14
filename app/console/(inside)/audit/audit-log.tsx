"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { useAuditTable } from "../../_components/lists/audit-entries.tsx";
import { ExportLink } from "../../_components/lists/export-link.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { days, named, narrow, partnerFilter } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { useListParams } from "../../_components/lists/use-list-params.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { ChainLine } from "./chain-line.tsx";
import { AUDIT, filterOf, pageOf } from "./search-params.ts";

const KINDS = [
  { value: "people", label: "All people" },
  { value: "keys", label: "All keys" },
  { value: "system", label: "The service itself" },
];

/** `partner.charge_fee_updated` as `Partner: charge fee updated`. */
function actionWords(action: string): string {
  const words = action.replaceAll("_", " ").replace(".", ": ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who did what, and why; walked by position, filtered by the address, sealed by a chain of hashes. */
export function AuditLog({ isOperator }: { isOperator: boolean }) {
  const trpc = useTRPC();
  const [params, set] = useListParams(AUDIT);
  const page = pageOf(params);
  const query = useQuery(trpc.audit.list.queryOptions(page, { placeholderData: keepPreviousData }));
  const { data: choices } = useQuery(trpc.audit.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const { data: more } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: isOperator }));
  const { drawer, ...table } = useAuditTable(isOperator);
  const actors = [...KINDS, ...named(choices?.actors)];
  const narrowing = narrow(AUDIT, {
    ...{ params, set, one: "entry", many: "entries" },
    filters: [
      {
        ...{ name: "actor", label: "Who", any: "Anybody", choices: actors },
        held: (actor) => actors.find(({ value }) => value === actor)?.label ?? "one person",
      },
      {
        ...{ name: "action", label: "Action", held: actionWords },
        choices: (choices?.actions ?? []).map((value) => ({ value, label: actionWords(value) })),
      },
      { name: "object", label: "Object", hint: "The whole id: tx_…, a partner's, a key's", held: (id) => `object ${id}` },
      isOperator && partnerFilter(more?.partners),
      days(["from", "to"], ["From (UTC)", "to, included"]),
    ],
  });
  return (
    <>
      <PageHeader
        title="Audit log"
        actions={
          <>
            <FilterDrawer of={narrowing} />
            <ExportLink path="/console/audit/export" input={filterOf(params)} />
          </>
        }
      />
      {isOperator && <ChainLine />}
      <FilterChips of={narrowing} />
      <WalkedList
        of={narrowing}
        query={query}
        subject={trpc.audit.pathKey()}
        limit={page.limit}
        caption="Audit log, newest first"
        {...table}
        nothing={(held) => `Nothing was recorded with ${held}.`}
        empty={<Empty title="Nothing was recorded yet" />}
      />
      {drawer}
    </>
  );
}

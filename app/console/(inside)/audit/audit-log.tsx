"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { useAuditTable } from "../../_components/lists/audit-entries.tsx";
import { ExportLink } from "../../_components/lists/export-link.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { days, named, narrow, partnerFilter } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { FILTERS } from "../../_components/lists/words.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { ChainLine } from "./chain-line.tsx";
import { AUDIT, filterOf, pageOf } from "./search-params.ts";
import { AUDIT_LOG } from "./words.ts";

type Translations = WithShared<typeof AUDIT_LOG>;

const kindsOf = (t: Translations) => [
  { value: "people", label: t.allPeople },
  { value: "keys", label: t.allKeys },
  { value: "system", label: t.service },
];

/** `partner.charge_fee_updated` as `Partner: charge fee updated`. */
function actionWords(action: string): string {
  const words = action.replaceAll("_", " ").replace(".", ": ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who did what, and why, with pages and filters in the URL, sealed by a chain of hashes. */
export function AuditLog({ isOperator }: { isOperator: boolean }) {
  const [t, common] = [useTranslations(AUDIT_LOG), useTranslations(FILTERS)];
  const trpc = useTRPC();
  const [params, set] = useAddressParams(AUDIT.params);
  const page = pageOf(params);
  const query = useQuery(trpc.audit.list.queryOptions(page, { placeholderData: keepPreviousData }));
  const { data: choices } = useQuery(trpc.audit.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const { data: more } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000, enabled: isOperator }));
  const { drawer, ...table } = useAuditTable(isOperator);
  const actors = [...kindsOf(t), ...named(choices?.actors)];
  const narrowing = narrow(AUDIT, {
    params,
    set,
    one: t.entry,
    many: t.entries,
    filters: [
      {
        name: "actor",
        label: t.who,
        any: t.anyone,
        choices: actors,
        held: (actor) => actors.find(({ value }) => value === actor)?.label ?? t.onePerson,
      },
      {
        name: "action",
        label: t.action,
        held: actionWords,
        choices: (choices?.actions ?? []).map((value) => ({ value, label: actionWords(value), origin: "served" as const })),
      },
      { name: "object", label: t.object, hint: t.objectHint, held: (id) => t.objectWithId(id) },
      isOperator && partnerFilter(more?.partners, common),
      days(["from", "to"], [t.fromUtc, t.createdTo], common),
    ],
  });
  return (
    <>
      <PageHeader
        title={t.title}
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
        caption={t.caption}
        {...table}
        nothing={(held) => t.noMatch(held)}
        empty={<Empty title={t.none} />}
      />
      {drawer}
    </>
  );
}

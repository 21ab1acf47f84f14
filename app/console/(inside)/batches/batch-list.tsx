"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { LinkButton } from "../../_components/controls/button.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { narrow, partnerFilter, searched, worded } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { SearchField } from "../../_components/lists/search-field.tsx";
import { type Column, partnerColumn, Short } from "../../_components/lists/table.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { FILTERS } from "../../_components/lists/words.ts";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import type { WithShared } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";
import { type Batch, BatchBadge, BatchTotals } from "./batch-signs.tsx";
import { BATCHES, pageOf, STATUSES } from "./search-params.ts";
import { BATCH_LIST, BATCH_STATES, COLUMNS } from "./words.ts";

type Row = Batch & { partner: { name: string } | null };

const idOf = ({ batch_id }: Row) => batch_id;

/** The batches that the user may see, newest first. */
export function BatchList({ isOperator, mayPay }: { isOperator: boolean; mayPay: boolean }) {
  const t = useTranslations(BATCH_LIST);
  const filters = useTranslations(FILTERS);
  const states = useTranslations(BATCH_STATES);
  const inRows = useTranslations(COLUMNS);
  const trpc = useTRPC();
  const [params, set] = useAddressParams(BATCHES.params);
  const page = pageOf(params);
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const nameOf = (id: string) => choices?.partners.find((partner) => partner.id === id) ?? null;
  const query = useQuery(
    trpc.batches.list.queryOptions(page, {
      placeholderData: keepPreviousData,
      select: ({ data, ...walk }) => ({ ...walk, data: data.map((batch): Row => ({ ...batch, partner: nameOf(batch.partner_id) })) }),
    }),
  );
  useLiveChanges(
    ({ action }) => action.startsWith("batch."),
    () => void query.refetch(),
  );
  const narrowing = narrow(BATCHES, {
    params,
    set,
    one: t.one,
    many: t.many,
    filters: [
      searched(filters.contains),
      isOperator && partnerFilter(choices?.partners, filters),
      { name: "status", label: t.status, choices: worded(STATUSES, states) },
    ],
  });
  const upload = mayPay && (
    <LinkButton look="primary" icon={Upload} href="/console/batches/new">
      {t.upload}
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title={t.title}
        actions={
          <>
            <SearchField of={narrowing} by={t.searchedBy} />
            <FilterDrawer of={narrowing} />
            {upload}
          </>
        }
      />
      <FilterChips of={narrowing} />
      <WalkedList
        of={narrowing}
        query={query}
        subject={trpc.batches.pathKey()}
        limit={page.limit}
        columns={columnsOf(isOperator, inRows)}
        idOf={idOf}
        open={(row) => `/console/batches/${idOf(row)}`}
        empty={
          <Empty title={t.none}>
            <p>{t.whatComesHere}</p>
            {upload || <LinkButton href="/docs/batches">{t.readHow}</LinkButton>}
          </Empty>
        }
      />
    </>
  );
}

function columnsOf(isOperator: boolean, t: WithShared<typeof COLUMNS>): Column<Row>[] {
  return [
    {
      id: "batch",
      header: t.batch,
      pinned: true,
      card: 1.1,
      cell: ({ batch_id, external_batch_id }) => (
        <Link href={`/console/batches/${batch_id}`}>
          <Short text={external_batch_id} />
        </Link>
      ),
    },
    ...partnerColumn<Row>(isOperator, 2.1, t),
    { id: "status", header: t.status, card: 1.2, cell: (batch) => <BatchBadge of={batch} /> },
    {
      id: "payments",
      header: t.payments,
      card: 2.2,
      align: "end",
      cell: ({ counts, item_count }) => t.paidOf(counts.executed, item_count),
    },
    { id: "total", header: t.total, card: 3.1, align: "end", cell: ({ totals }) => <BatchTotals of={totals} /> },
    { id: "created", header: t.created, card: 4.1, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

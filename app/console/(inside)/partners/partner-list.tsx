"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { PARTNER_STATUSES } from "#domain/partner.ts";
import { LinkButton } from "../../_components/controls/button.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { narrow, searched, worded } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { SearchField } from "../../_components/lists/search-field.tsx";
import { Sums } from "../../_components/lists/sums.tsx";
import { type Column, Short } from "../../_components/lists/table.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { FILTERS } from "../../_components/lists/words.ts";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import { SHARED } from "../../_words/shared.ts";
import { Data, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Partner } from "./answers.ts";
import { PartnerStatus, rolesInWords } from "./partner-signs.tsx";
import { PARTNERS, pageOf } from "./search-params.ts";
import { PARTNER_LIST, PARTNER_SIGNS } from "./words.ts";

/** The partners, with their figures of thirty days. */
export function PartnerList({ mayManage }: { mayManage: boolean }) {
  const t = useTranslations(PARTNER_LIST);
  const signs = useTranslations(PARTNER_SIGNS);
  const inRows = useTranslations(SHARED);
  const trpc = useTRPC();
  const [params, set] = useAddressParams(PARTNERS.params);
  const page = pageOf(params);
  const query = useQuery(trpc.partners.list.queryOptions(page, { placeholderData: keepPreviousData }));
  useLiveChanges(
    ({ action }) => action.startsWith("partner."),
    () => void query.refetch(),
  );
  const narrowing = narrow(PARTNERS, {
    params,
    set,
    one: t.one,
    many: t.many,
    filters: [searched(useTranslations(FILTERS).contains), { name: "status", label: t.status, choices: worded(PARTNER_STATUSES, signs) }],
  });
  return (
    <>
      <PageHeader
        title={t.partners}
        actions={
          <>
            <SearchField of={narrowing} by={t.searchedBy} />
            <FilterDrawer of={narrowing} />
            {mayManage && (
              <LinkButton look="primary" icon={Plus} href="/console/partners/new">
                {t.newPartner}
              </LinkButton>
            )}
          </>
        }
      >
        <span className="muted small">{t.newestFirst}</span>
      </PageHeader>
      <FilterChips of={narrowing} />
      <WalkedList
        of={narrowing}
        query={query}
        subject={trpc.partners.pathKey()}
        limit={page.limit}
        columns={columnsOf(inRows, signs)}
        idOf={({ id }) => id}
        open={({ id }) => `/console/partners/${id}`}
        empty={<Empty title={t.none} />}
      />
    </>
  );
}

function columnsOf(t: WithShared<typeof SHARED>, signs: typeof PARTNER_SIGNS): Column<Partner>[] {
  return [
    {
      id: "name",
      header: t.name,
      pinned: true,
      cell: ({ id, name }) => (
        <Link href={`/console/partners/${id}`}>
          <Short text={name} />
        </Link>
      ),
      card: 1.1,
    },
    {
      id: "slug",
      header: t.slug,
      cell: ({ slug }) => <code translate="no">{slug}</code>,
      inCard: ({ slug }) => <Data>{slug}</Data>,
      card: 3.1,
      aside: true,
    },
    { id: "status", header: t.status, cell: ({ status }) => <PartnerStatus status={status} />, card: 1.2 },
    { id: "roles", header: t.roles, cell: ({ roles }) => rolesInWords(roles, signs) },
    {
      id: "fee",
      header: t.fee,
      align: "end",
      cell: ({ charge_fee_percentage }) => `${charge_fee_percentage} %`,
      inCard: ({ charge_fee_percentage }) => `${t.fee} ${charge_fee_percentage} %`,
      card: 3.15,
      aside: true,
    },
    {
      id: "volume",
      header: t.paidOut,
      align: "end",
      cell: ({ volume }) => <Sums of={volume} />,
      inCard: ({ volume }) => (
        <span>
          <span className="muted">{t.paidOut}</span> <Sums of={volume} />
        </span>
      ),
      card: 2.1,
    },
    { id: "members", header: t.members, align: "end", cell: ({ members }) => t.format.count(members) },
    {
      id: "last",
      header: t.lastActivity,
      card: 3.2,
      aside: true,
      cell: ({ last_activity_at: at }) => (at === null ? <span className="none">{t.never}</span> : <Time at={at} />),
    },
  ];
}

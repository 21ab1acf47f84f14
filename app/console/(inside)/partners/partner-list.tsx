"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { PARTNER_STATUSES } from "#domain/partner.ts";
import { LinkButton } from "../../_components/controls/button.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { narrow, searched, worded } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { SearchField } from "../../_components/lists/search-field.tsx";
import { useListParams } from "../../_components/lists/use-list-params.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import { COLUMNS } from "./columns.tsx";
import { PARTNERS, pageOf } from "./search-params.ts";

const STATUS_WORDS = { active: "Active", suspended: "Suspended" };

/** Who uses the service, with what each did within thirty days. */
export function PartnerList({ mayManage }: { mayManage: boolean }) {
  const trpc = useTRPC();
  const [params, set] = useListParams(PARTNERS);
  const page = pageOf(params);
  const query = useQuery(trpc.partners.list.queryOptions(page, { placeholderData: keepPreviousData }));
  useLiveChanges(
    ({ action }) => action.startsWith("partner."),
    () => void query.refetch(),
  );
  const narrowing = narrow(PARTNERS, {
    ...{ params, set, one: "partner", many: "partners" },
    filters: [searched(), { name: "status", label: "Status", choices: worded(PARTNER_STATUSES, STATUS_WORDS) }],
  });
  return (
    <>
      <PageHeader
        title="Partners"
        actions={
          <>
            <SearchField of={narrowing} by="name or slug" />
            <FilterDrawer of={narrowing} />
            {mayManage && (
              <LinkButton look="primary" icon={Plus} href="/console/partners/new">
                New partner
              </LinkButton>
            )}
          </>
        }
      />
      <FilterChips of={narrowing} />
      <WalkedList
        of={narrowing}
        query={query}
        subject={trpc.partners.pathKey()}
        limit={page.limit}
        columns={COLUMNS}
        idOf={({ id }) => id}
        open={({ id }) => `/console/partners/${id}`}
        empty={<Empty title="No partners yet" />}
      />
    </>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { chainChoices, narrow, partnerFilter, searched, worded } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { SearchField } from "../../_components/lists/search-field.tsx";
import { useListParams } from "../../_components/lists/use-list-params.ts";
import { useStillRows, WALKED_STILL } from "../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { columnsFor, type Row } from "./columns.tsx";
import { NewMember } from "./member-form.tsx";
import { SAFE_WORDS } from "./safe-badge.tsx";
import { MEMBER_SAFES, MEMBERS, pageOf } from "./search-params.ts";

type Props = { isOperator: boolean; mayManage: boolean };

const idOf = ({ member }: Row) => member.id;

/** The end customers that one may see: searched, filtered, walked, and their Safes as they come to stand. */
export function MemberList({ isOperator, mayManage }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [params, set] = useListParams(MEMBERS);
  const [adding, setAdding] = useState(false);
  const page = pageOf(params);
  const options = trpc.members.list.queryOptions(page, WALKED_STILL);
  const query = useQuery(options);
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const { newer } = useStillRows({
    queryKey: options.queryKey,
    rows: query.data?.data,
    read: () => client.members.list.query(page),
    idOf,
    createdAction: "member.created",
    isMoving: ({ member }) => member.safe_status === "deploying",
  });
  useShortcut("n", "New member", () => setAdding(true), mayManage);
  const narrowing = narrow(MEMBERS, {
    ...{ params, set, one: "member", many: "members" },
    filters: [
      searched(),
      isOperator && partnerFilter(choices?.partners),
      { name: "safe", label: "Safe", choices: worded(MEMBER_SAFES, SAFE_WORDS) },
      { name: "chain", label: "Chain", choices: chainChoices(choices?.chains), held: (chain) => chain },
    ],
  });
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          <>
            <SearchField of={narrowing} by="reference, name, phone or wallet" />
            <FilterDrawer of={narrowing} />
            {isOperator && <LinkButton href="/console/members/safes">Safe deployments</LinkButton>}
            {mayManage && (
              <Button look="primary" icon={UserPlus} onClick={() => setAdding(true)} aria-keyshortcuts="n">
                New member
              </Button>
            )}
          </>
        }
      />
      <FilterChips of={narrowing} />
      <WalkedList
        of={narrowing}
        query={query}
        subject={trpc.members.pathKey()}
        limit={page.limit}
        newer={newer}
        columns={columnsFor(isOperator)}
        idOf={idOf}
        open={(row) => `/console/members/${idOf(row)}`}
        empty={
          <Empty title="No members yet">
            <p>A member is an end customer with a wallet; without one of its own it is given a Safe.</p>
            {mayManage ? (
              <Button onClick={() => setAdding(true)}>New member</Button>
            ) : (
              <LinkButton href="/docs/partner-management">Read how</LinkButton>
            )}
          </Empty>
        }
      />
      {mayManage && <NewMember open={adding} onClose={() => setAdding(false)} />}
    </>
  );
}

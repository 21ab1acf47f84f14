"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Id, Time } from "../../_components/controls/values.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { chainChoices, narrow, partnerFilter, searched, worded } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { SearchField } from "../../_components/lists/search-field.tsx";
import { Sums } from "../../_components/lists/sums.tsx";
import { type Column, None, partnerColumn, Short } from "../../_components/lists/table.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { useStillRows, WALKED_STILL } from "../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { FILTERS } from "../../_components/lists/words.ts";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../_words/words.ts";
import { SafeBadge } from "./safe-badge.tsx";
import { MEMBER_SAFES, MEMBERS, pageOf } from "./search-params.ts";
import { COLUMNS, MEMBER_LIST, SAFE_STATES } from "./words.ts";

const NewMember = lazyComponent(() => import("./member-form.tsx").then(({ NewMember: Loaded }) => Loaded));

type Props = { isOperator: boolean; mayManage: boolean };

const idOf = ({ member }: Row) => member.id;

/** The members that the user may see, with search, filters, pages, and the live state of their Safes. */
export function MemberList({ isOperator, mayManage }: Props) {
  const t = useTranslations(MEMBER_LIST);
  const filters = useTranslations(FILTERS);
  const states = useTranslations(SAFE_STATES);
  const inRows = useTranslations(COLUMNS);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [params, set] = useAddressParams(MEMBERS.params);
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
  useShortcut("n", t.newMember, () => setAdding(true), mayManage);
  const narrowing = narrow(MEMBERS, {
    params,
    set,
    one: t.one,
    many: t.many,
    filters: [
      searched(filters.contains),
      isOperator && partnerFilter(choices?.partners, filters),
      { name: "safe", label: t.safe, choices: worded(MEMBER_SAFES, states) },
      { name: "chain", label: t.chain, choices: chainChoices(choices?.chains), held: (chain) => chain },
    ],
  });
  return (
    <>
      <PageHeader
        title={t.members}
        actions={
          <>
            <SearchField of={narrowing} by={t.searchedBy} />
            <FilterDrawer of={narrowing} />
            {isOperator && <LinkButton href="/console/members/safes">{t.safeDeployments}</LinkButton>}
            {mayManage && (
              <Button look="primary" icon={UserPlus} onClick={() => setAdding(true)} aria-keyshortcuts="n">
                {t.newMember}
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
        columns={columnsFor(isOperator, inRows)}
        idOf={idOf}
        open={(row) => `/console/members/${idOf(row)}`}
        empty={
          <Empty title={t.none} more={t.noneMore}>
            {mayManage ? (
              <Button onClick={() => setAdding(true)}>{t.newMember}</Button>
            ) : (
              <LinkButton href="/docs/partner-management">{t.readHow}</LinkButton>
            )}
          </Empty>
        }
      />
      {mayManage && <NewMember open={adding} onClose={() => setAdding(false)} />}
    </>
  );
}

type Translations = WithShared<typeof COLUMNS>;

type Row = Answers["members"]["list"]["data"][number];

function columnsFor(isOperator: boolean, t: Translations): Column<Row>[] {
  return [
    {
      id: "member",
      header: t.member,
      pinned: true,
      card: 1.1,
      cell: ({ member: { id, external_user_id } }) => (
        <Link href={`/console/members/${id}`} className="short" title={external_user_id} translate="no">
          {external_user_id}
        </Link>
      ),
    },
    ...partnerColumn<Row>(isOperator, 3.2, t),
    {
      id: "name",
      header: t.name,
      card: 2.1,
      cell: ({ member: { name } }) => <Short text={name} />,
      inCard: ({ member: { name, phone } }) => <Data>{name ?? phone}</Data>,
    },
    { id: "phone", header: t.phone, cell: ({ member: { phone } }) => <Data>{phone}</Data> },
    { id: "safe", header: t.safe, cell: ({ member: { safe_status } }) => <SafeBadge status={safe_status} />, card: 3.1 },
    {
      id: "wallet",
      header: t.wallet,
      cell: ({ member: { wallet_address } }) => (wallet_address === null ? <None /> : <Id value={wallet_address} what={t.walletNoun} />),
    },
    { id: "volume", header: t.volume, align: "end", cell: ({ volume }) => <Sums of={volume} />, card: 2.2 },
    { id: "created", header: t.created, cell: ({ member: { created_at } }) => <Time at={created_at} />, card: 1.2 },
  ];
}

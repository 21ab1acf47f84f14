import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ArrowDownLeft, ArrowUpRight, type LucideIcon } from "lucide-react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import type { SetParams } from "../../_components/lists/address-params.ts";
import { ExportLink } from "../../_components/lists/export-link.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { days, narrow, partnerFilter, plain, searched, worded } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { SearchField } from "../../_components/lists/search-field.tsx";
import type { Column } from "../../_components/lists/table.tsx";
import { useStillRows, WALKED_STILL } from "../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { FILTERS } from "../../_components/lists/words.ts";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { type TopupRow, topupColumns, type WithdrawalRow, withdrawalColumns } from "./columns.tsx";
import { FIAT_STATUSES, type FiatParams, filterOf, ORDERS, pageOf } from "./search-params.ts";
import { COLUMNS, ORDERS as WORDS } from "./words.ts";

type Props = { params: FiatParams; set: SetParams<FiatParams>; isOperator: boolean; mayMove: boolean };

const isOpen = (status: string) => status === "pending" || status === "processing";

export function Withdrawals(props: Props) {
  const client = useTRPCClient();
  const page = pageOf(props.params);
  const options = useTRPC().fiat.withdrawals.queryOptions(page, WALKED_STILL);
  return (
    <Orders
      {...props}
      query={useQuery(options)}
      queryKey={options.queryKey}
      read={() => client.fiat.withdrawals.query(page)}
      orderOf={({ withdrawal }: WithdrawalRow) => withdrawal}
      kind={"withdrawal"}
      columns={withdrawalColumns(props.isOperator, useTranslations(COLUMNS))}
      icon={ArrowUpRight}
    />
  );
}

export function Topups(props: Props) {
  const client = useTRPCClient();
  const page = pageOf(props.params);
  const options = useTRPC().fiat.topups.queryOptions(page, WALKED_STILL);
  return (
    <Orders
      {...props}
      query={useQuery(options)}
      queryKey={options.queryKey}
      read={() => client.fiat.topups.query(page)}
      orderOf={({ topup }: TopupRow) => topup}
      kind={"topup"}
      columns={topupColumns(props.isOperator, useTranslations(COLUMNS))}
      icon={ArrowDownLeft}
    />
  );
}

type OrdersProps<Row> = Props & {
  query: UseQueryResult<{ data: Row[]; older_cursor: string | null; newer_cursor: string | null }, object>;
  queryKey: readonly unknown[];
  read: () => Promise<{ data: Row[] }>;
  orderOf: (row: Row) => { id: string; status: string };
  kind: "withdrawal" | "topup";
  columns: readonly Column<Row>[];
  icon: LucideIcon;
};

/** A list of orders of one kind, with its search, its filters and its actions. */
function Orders<Row>({ params, set, isOperator, mayMove, kind, icon, query, queryKey, read, orderOf, columns }: OrdersProps<Row>) {
  const t = useTranslations(WORDS);
  const filters = useTranslations(FILTERS);
  const { one, many, ...ofKind } = t[kind];
  const path = `${kind}s`;
  const idOf = (row: Row) => orderOf(row).id;
  const isMoving = (row: Row) => isOpen(orderOf(row).status);
  const { newer } = useStillRows({ queryKey, rows: query.data?.data, idOf, createdAction: `${kind}.requested`, read, isMoving });
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const narrowing = narrow(ORDERS, {
    params,
    set,
    one,
    many,
    filters: [
      searched(t.hasStatus),
      { name: "status", label: t.status, choices: worded(FIAT_STATUSES, t.statuses) },
      isOperator && partnerFilter(choices?.partners, filters),
      { name: "currency", label: t.currency, choices: plain(choices?.source_currencies) },
      { name: "of", held: () => t.ofMember },
      days(["from", "to"], [t.createdFromUtc, t.createdTo], filters),
    ],
  });
  return (
    <>
      <div className="list-bar">
        <SearchField of={narrowing} by={t.searchedBy} />
        <FilterDrawer of={narrowing} />
        <ExportLink path="/console/fiat/export" input={{ kind: path, filter: filterOf(params) }} />
        {mayMove && (
          <Button look="primary" icon={icon} onClick={() => set({ new: kind })}>
            {ofKind.new}
          </Button>
        )}
      </div>
      <FilterChips of={narrowing} />
      <WalkedList
        of={narrowing}
        query={query}
        newer={newer}
        columns={columns}
        subject={trpc.fiat.pathKey()}
        limit={pageOf(params).limit}
        idOf={idOf}
        open={(row) => `/console/fiat/${path}/${idOf(row)}`}
        empty={
          <Empty title={ofKind.none} more={t.noneMore}>
            <LinkButton href="/docs/partner-management">{t.readHow}</LinkButton>
          </Empty>
        }
      />
    </>
  );
}

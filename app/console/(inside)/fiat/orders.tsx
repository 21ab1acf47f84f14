"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { SearchField } from "../../_components/controls/search-field.tsx";
import { ExportLink } from "../../_components/lists/export-link.tsx";
import { FilterChips, FilterDrawer } from "../../_components/lists/filter-drawer.tsx";
import { days, narrow, partnerFilter, plain, searched, worded } from "../../_components/lists/filters.ts";
import type { SetParams } from "../../_components/lists/list-params.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import type { Column } from "../../_components/lists/table.tsx";
import { useStillRows, WALKED_STILL } from "../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.ts";
import { TopupCard, type TopupRow, topupColumns, WithdrawalCard, type WithdrawalRow, withdrawalColumns } from "./columns.tsx";
import { FIAT_STATUSES, type FiatParams, filterOf, ORDERS, pageOf } from "./search-params.ts";

type Props = { params: FiatParams; set: SetParams<FiatParams>; isOperator: boolean; mayMove: boolean };

const isOpen = (status: string) => status === "pending" || status === "processing";
const STATUS_WORDS = { pending: "Pending", processing: "Processing", completed: "Completed", failed: "Failed" };

export function Withdrawals(props: Props) {
  const client = useTRPCClient();
  const page = pageOf(props.params);
  const options = useTRPC().fiat.withdrawals.queryOptions(page, WALKED_STILL);
  const query = useQuery(options);
  const idOf = ({ withdrawal }: WithdrawalRow) => withdrawal.id;
  const { newer } = useStillRows({
    ...{ queryKey: options.queryKey, rows: query.data?.data, idOf, createdAction: "withdrawal.requested" },
    read: () => client.fiat.withdrawals.query(page),
    isMoving: ({ withdrawal }) => isOpen(withdrawal.status),
  });
  return (
    <Orders
      {...{ ...props, query, newer, idOf, one: "withdrawal", many: "withdrawals", path: "withdrawals" }}
      columns={withdrawalColumns(props.isOperator)}
      card={(row) => <WithdrawalCard row={row} isOperator={props.isOperator} />}
      action={
        <Button look="primary" icon={ArrowUpRight} onClick={() => props.set({ new: "withdrawal" })}>
          New withdrawal
        </Button>
      }
    />
  );
}

export function Topups(props: Props) {
  const client = useTRPCClient();
  const page = pageOf(props.params);
  const options = useTRPC().fiat.topups.queryOptions(page, WALKED_STILL);
  const query = useQuery(options);
  const idOf = ({ topup }: TopupRow) => topup.id;
  const { newer } = useStillRows({
    ...{ queryKey: options.queryKey, rows: query.data?.data, idOf, createdAction: "topup.requested" },
    read: () => client.fiat.topups.query(page),
    isMoving: ({ topup }) => isOpen(topup.status),
  });
  return (
    <Orders
      {...{ ...props, query, newer, idOf, one: "top-up", many: "top-ups", path: "topups" }}
      columns={topupColumns(props.isOperator)}
      card={(row) => <TopupCard row={row} isOperator={props.isOperator} />}
      action={
        <Button look="primary" icon={ArrowDownLeft} onClick={() => props.set({ new: "topup" })}>
          New top-up
        </Button>
      }
    />
  );
}

type OrdersProps<Row> = Props & {
  query: UseQueryResult<{ data: Row[]; older_cursor: string | null; newer_cursor: string | null }, object>;
  newer: number;
  one: string;
  many: string;
  /** What the console's addresses call the kind. */
  path: string;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  card: (row: Row) => ReactNode;
  action: ReactNode;
};

/** A list of orders of one kind, with its search, its filters and what may be asked for. */
function Orders<Row>({ params, set, isOperator, mayMove, one, many, path, action, idOf, ...list }: OrdersProps<Row>) {
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const narrowing = narrow(ORDERS, {
    ...{ params, set, one, many },
    filters: [
      searched("is"),
      { name: "status", label: "Status", choices: worded(FIAT_STATUSES, STATUS_WORDS) },
      isOperator && partnerFilter(choices?.partners),
      { name: "currency", label: "Currency", choices: plain(choices?.source_currencies) },
      { name: "of", held: () => "one member's" },
      days(["from", "to"], ["Created from (UTC)", "to, included"]),
    ],
  });
  return (
    <>
      <div className="list-bar">
        <SearchField
          label={`Search ${many} by id, reference or hash`}
          placeholder="Id, reference or hash"
          text={params.q ?? ""}
          onSearch={(q) => narrowing.choose({ q })}
        />
        <FilterDrawer of={narrowing} />
        <ExportLink path="/console/fiat/export" input={{ kind: path, filter: filterOf(params) }} />
        {mayMove && action}
      </div>
      <FilterChips of={narrowing} />
      <WalkedList
        {...list}
        of={narrowing}
        subject={trpc.fiat.pathKey()}
        limit={pageOf(params).limit}
        idOf={idOf}
        open={(row) => `/console/fiat/${path}/${idOf(row)}`}
        empty={
          <Empty title={`No ${many} yet`}>
            <p>They are asked for through the API, or here by a partner's owner.</p>
            <LinkButton href="/docs/partner-management">Read how</LinkButton>
          </Empty>
        }
      />
    </>
  );
}

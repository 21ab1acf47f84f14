"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { usePage } from "../../_components/dialogs/use-answer.ts";
import { STILL, useStillRows } from "../../_components/lists/use-still-rows.ts";
import { useTRPC, useTRPCClient } from "../../_trpc/client.ts";
import { TopupCard, type TopupRow, topupColumns, WithdrawalCard, type WithdrawalRow, withdrawalColumns } from "./columns.tsx";
import { OrderBar, OrderRows } from "./order-list.tsx";
import { type FiatParams, pageOf, type SetParams } from "./search-params.ts";

type Props = { params: FiatParams; set: SetParams; isOperator: boolean; mayMove: boolean };

const isOpen = (status: string) => status === "pending" || status === "processing";
const WITHDRAWALS = { one: "withdrawal", many: "withdrawals", caption: "Withdrawals, newest first" };
const TOPUPS = { one: "top-up", many: "top-ups", caption: "Top-ups, newest first" };

export function Withdrawals({ params, set, isOperator, mayMove }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const page = pageOf(params);
  const options = trpc.fiat.withdrawals.queryOptions(page, { ...STILL, placeholderData: keepPreviousData });
  const list = usePage(useQuery(options));
  const idOf = ({ withdrawal }: WithdrawalRow) => withdrawal.id;
  const { newer } = useStillRows({
    queryKey: options.queryKey,
    rows: list.data?.data,
    read: () => client.fiat.withdrawals.query(page),
    idOf,
    createdAction: "withdrawal.requested",
    isMoving: ({ withdrawal }) => isOpen(withdrawal.status),
  });
  const action = mayMove && (
    <Button look="primary" icon={ArrowUpRight} onClick={() => set({ new: "withdrawal" })}>
      New withdrawal
    </Button>
  );
  return (
    <>
      <OrderBar params={params} set={set} isOperator={isOperator} action={action} words={WITHDRAWALS} />
      <OrderRows
        {...{ list, newer, params, set, idOf }}
        limit={page.limit}
        words={WITHDRAWALS}
        columns={withdrawalColumns(isOperator)}
        hrefOf={(row) => `/console/fiat/withdrawals/${idOf(row)}`}
        card={(row) => <WithdrawalCard row={row} isOperator={isOperator} />}
      />
    </>
  );
}

export function Topups({ params, set, isOperator, mayMove }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const page = pageOf(params);
  const options = trpc.fiat.topups.queryOptions(page, { ...STILL, placeholderData: keepPreviousData });
  const list = usePage(useQuery(options));
  const idOf = ({ topup }: TopupRow) => topup.id;
  const { newer } = useStillRows({
    queryKey: options.queryKey,
    rows: list.data?.data,
    read: () => client.fiat.topups.query(page),
    idOf,
    createdAction: "topup.requested",
    isMoving: ({ topup }) => isOpen(topup.status),
  });
  const action = mayMove && (
    <Button look="primary" icon={ArrowDownLeft} onClick={() => set({ new: "topup" })}>
      New top-up
    </Button>
  );
  return (
    <>
      <OrderBar params={params} set={set} isOperator={isOperator} action={action} words={TOPUPS} />
      <OrderRows
        {...{ list, newer, params, set, idOf }}
        limit={page.limit}
        words={TOPUPS}
        columns={topupColumns(isOperator)}
        hrefOf={(row) => `/console/fiat/topups/${idOf(row)}`}
        card={(row) => <TopupCard row={row} isOperator={isOperator} />}
      />
    </>
  );
}

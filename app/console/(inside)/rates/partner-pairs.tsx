"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, CircleAlert } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { Money } from "../../_components/controls/money.tsx";
import { Badge } from "../../_components/controls/status-badge.tsx";
import { useLiveChanges } from "../../_components/frame/live.tsx";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { grouped } from "../../_format/amount.ts";
import { useTRPC } from "../../_trpc/client.ts";
import { Calculator } from "./calculator.tsx";
import { pairKey, pairName, seconds } from "./pair-words.ts";
import { previewCall } from "./preview-call.ts";

type Row = Answers["rates"]["pairs"][number];

const LOOK_ANEW_MS = 10_000;

/** What a partner may quote, and from which amount on an approval is needed. */
export function PartnerPairs() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data: me } = useQuery(trpc.session.me.queryOptions());
  const pairs = useQuery(trpc.rates.pairs.queryOptions(undefined, { refetchInterval: LOOK_ANEW_MS }));
  useLiveChanges(
    ({ action }) => /^(pair_terms|exchange_rate|wallet)\./.test(action),
    () => void queries.invalidateQueries({ queryKey: trpc.rates.pairs.queryKey() }),
  );
  return (
    <>
      <PageHeader title="Rates & pairs" />
      {pairs.isPending && <Skeleton rows={14} />}
      {!pairs.data && pairs.error && <Trouble error={pairs.error} onRetry={() => void pairs.refetch()} />}
      {pairs.data && (
        <>
          {pairs.error && <Stale since={pairs.dataUpdatedAt} error={pairs.error} onRetry={() => void pairs.refetch()} />}
          {pairs.data.length === 0 ? (
            <Empty title="No pairs yet">
              <p>The operator has not opened any pair for you.</p>
            </Empty>
          ) : (
            <Table
              caption="Pairs that you may quote"
              columns={columnsOf(me?.brand ?? "Service")}
              rows={pairs.data}
              keyOf={pairKey}
              card={(row) => <Card row={row} />}
            />
          )}
        </>
      )}
      <Calculator />
    </>
  );
}

function columnsOf(brand: string): Column<Row>[] {
  return [
    { id: "pair", header: "Pair", pinned: true, cell: pairName },
    { id: "state", header: "State", cell: ({ quoting }) => <Quoting quoting={quoting} /> },
    { id: "rate", header: "Exchange rate", align: "end", cell: ({ exchange_rate: rate }) => rate ?? <span className="none">–</span> },
    {
      id: "fee",
      header: "Platform fee",
      align: "end",
      cell: (row) => <Money amount={row.platform_fee} currency={row.destination_currency} />,
    },
    {
      id: "minimum",
      header: "Minimum",
      align: "end",
      cell: (row) => <Money amount={row.minimum_source_amount} currency={row.source_currency} />,
    },
    {
      id: "maximum",
      header: "Approval above",
      align: "end",
      cell: (row) => <Money amount={row.maximum_source_amount} currency={row.source_currency} />,
    },
    { id: "lifetime", header: "Quote lifetime", align: "end", cell: (row) => seconds(row.quote_lifetime_seconds) },
    { id: "chain", header: "Chain", cell: ({ chain }) => chain },
    { id: "copy", header: "", cell: (row) => <CopyButton text={previewCall(row, brand)} label={`Copy ${pairName(row)} as an API call`} /> },
  ];
}

function Quoting({ quoting }: { quoting: Row["quoting"] }) {
  return quoting === "up" ? (
    <Badge word="Quoting" icon={Check} tone="executed" />
  ) : (
    <Badge word="Halted" icon={CircleAlert} tone="failed" />
  );
}

function Card({ row }: { row: Row }) {
  return (
    <>
      <div className="card-line">
        <strong>{pairName(row)}</strong>
        <Quoting quoting={row.quoting} />
      </div>
      <div className="card-line">
        <span>{row.exchange_rate ?? "no rate"}</span>
        <span className="muted">
          approval above {grouped(row.maximum_source_amount, 0)} {row.source_currency}
        </span>
      </div>
      <div className="card-line muted">
        <span>{row.chain}</span>
        <span>fee {grouped(row.platform_fee)}</span>
      </div>
    </>
  );
}

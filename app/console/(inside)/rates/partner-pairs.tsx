"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, CircleAlert } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { Badge } from "../../_components/controls/values.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { Answered, Empty, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, None, Table } from "../../_components/lists/table.tsx";
import { grouped } from "../../_format/amount.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Calculator } from "./calculator.tsx";
import { pairKey, pairName, seconds } from "./pair-words.ts";
import { previewCall } from "./preview-call.ts";

type Row = Answers["rates"]["pairs"][number];

const LOOK_ANEW_MS = 10_000;

/** What a partner may quote, and from which amount on an approval is needed. */
export function PartnerPairs() {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.session.me.queryOptions());
  const pairs = useQuery(trpc.rates.pairs.queryOptions(undefined, { refetchInterval: LOOK_ANEW_MS }));
  useLiveChanges(({ action }) => /^(pair_terms|exchange_rate|wallet)\./.test(action), useRefresh(trpc.rates.pairs.queryKey()));
  return (
    <>
      <PageHeader title="Rates & pairs" />
      <Answered of={pairs} waiting={<Skeleton rows={14} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No pairs yet">
              <p>The operator has not opened any pair for you.</p>
            </Empty>
          ) : (
            <Table caption="Pairs that you may quote" columns={columnsOf(me?.brand ?? "Service")} rows={rows} keyOf={pairKey} />
          )
        }
      </Answered>
      <Calculator />
    </>
  );
}

function columnsOf(brand: string): Column<Row>[] {
  return [
    { id: "pair", header: "Pair", pinned: true, cell: pairName, inCard: (row) => <strong>{pairName(row)}</strong>, card: 1.1 },
    {
      ...{ id: "state", header: "State", card: 1.2 },
      cell: ({ quoting }) =>
        quoting === "up" ? <Badge word="Quoting" icon={Check} tone="executed" /> : <Badge word="Halted" icon={CircleAlert} tone="failed" />,
    },
    {
      ...{ id: "rate", header: "Exchange rate", align: "end", card: 2.1 },
      cell: ({ exchange_rate: rate }) => rate ?? <None />,
      inCard: ({ exchange_rate: rate }) => rate ?? "no rate",
    },
    moneyColumn("fee", "Platform fee", (row) => [row.platform_fee, row.destination_currency], {
      ...{ card: 3.2, aside: true },
      inCard: (row) => `fee ${grouped(row.platform_fee)}`,
    }),
    moneyColumn("minimum", "Minimum", (row) => [row.minimum_source_amount, row.source_currency]),
    moneyColumn("maximum", "Approval above", (row) => [row.maximum_source_amount, row.source_currency], {
      ...{ card: 2.2, aside: true },
      inCard: (row) => `approval above ${grouped(row.maximum_source_amount, 0)} ${row.source_currency}`,
    }),
    { id: "lifetime", header: "Quote lifetime", align: "end", cell: (row) => seconds(row.quote_lifetime_seconds) },
    { id: "chain", header: "Chain", cell: ({ chain }) => chain, card: 3.1, aside: true },
    { id: "copy", header: "", cell: (row) => <CopyButton text={previewCall(row, brand)} label={`Copy ${pairName(row)} as an API call`} /> },
  ];
}

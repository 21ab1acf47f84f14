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
import { Data } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { Calculator } from "./calculator.tsx";
import { pairKey, pairName, seconds } from "./pair-words.ts";
import { previewCall } from "./preview-call.ts";
import { TERMS } from "./terms-words.ts";
import { PARTNER_PAIRS } from "./words.ts";

type Says = typeof PARTNER_PAIRS;

type Row = Answers["rates"]["pairs"][number];

const LOOK_ANEW_MS = 10_000;

/** What a partner may quote, and from which amount on an approval is needed. */
export function PartnerPairs() {
  const says = useWords(PARTNER_PAIRS);
  const fields = useWords(TERMS);
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.session.me.queryOptions());
  const pairs = useQuery(trpc.rates.pairs.queryOptions(undefined, { refetchInterval: LOOK_ANEW_MS }));
  useLiveChanges(({ action }) => /^(pair_terms|exchange_rate|wallet)\./.test(action), useRefresh(trpc.rates.pairs.queryKey()));
  return (
    <>
      <PageHeader title={says.title} />
      <Answered of={pairs} waiting={<Skeleton rows={14} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={says.none}>
              <p>{says.noneMore}</p>
            </Empty>
          ) : (
            <Table caption={says.caption} columns={columnsOf(me?.brand ?? "Service", says, fields)} rows={rows} keyOf={pairKey} />
          )
        }
      </Answered>
      <Calculator />
    </>
  );
}

function columnsOf(brand: string, says: Says, fields: typeof TERMS): Column<Row>[] {
  return [
    {
      id: "pair",
      header: says.pair,
      pinned: true,
      cell: (row) => <Data>{pairName(row)}</Data>,
      inCard: (row) => <strong translate="no">{pairName(row)}</strong>,
      card: 1.1,
    },
    {
      ...{ id: "state", header: says.state, card: 1.2 },
      cell: ({ quoting }) =>
        quoting === "up" ? (
          <Badge word={says.quoting} icon={Check} tone="executed" />
        ) : (
          <Badge word={says.halted} icon={CircleAlert} tone="failed" />
        ),
    },
    {
      ...{ id: "rate", header: says.exchangeRate, align: "end", card: 2.1 },
      cell: ({ exchange_rate: rate }) => rate ?? <None />,
      inCard: ({ exchange_rate: rate }) => rate ?? says.noRate,
    },
    moneyColumn("fee", says.platformFee, (row) => [row.platform_fee, row.destination_currency], {
      ...{ card: 3.2, aside: true },
      inCard: (row) => says.fee(grouped(row.platform_fee)),
    }),
    moneyColumn("minimum", says.minimum, (row) => [row.minimum_source_amount, row.source_currency]),
    moneyColumn("maximum", says.approvalAbove, (row) => [row.maximum_source_amount, row.source_currency], {
      ...{ card: 2.2, aside: true },
      inCard: (row) => says.approvalFrom(`${grouped(row.maximum_source_amount, 0)} ${row.source_currency}`),
    }),
    { id: "lifetime", header: says.quoteLifetime, align: "end", cell: (row) => seconds(row.quote_lifetime_seconds, fields) },
    { id: "chain", header: says.chain, cell: ({ chain }) => <Data>{chain}</Data>, card: 3.1, aside: true },
    { id: "copy", header: "", cell: (row) => <CopyButton text={previewCall(row, brand)} label={says.copyApiCall(pairName(row))} /> },
  ];
}

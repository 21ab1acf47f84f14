"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, CircleAlert } from "lucide-react";
import { signedCurl } from "#contract/signed-curl.ts";
import type { Answers } from "#server/console/router.ts";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { Badge } from "../../_components/controls/values.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, None, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../_words/words.ts";
import { Calculator } from "./calculator.tsx";
import { pairKey, pairName, seconds } from "./pair-words.ts";
import { TERMS } from "./terms-words.ts";
import { PARTNER_PAIRS } from "./words.ts";

type Translations = WithShared<typeof PARTNER_PAIRS>;

type Row = Answers["rates"]["pairs"][number];

const LOOK_ANEW_MS = 10_000;

/** The pairs that a partner may quote, and the amount above which each needs an approval. */
export function PartnerPairs() {
  const t = useTranslations(PARTNER_PAIRS);
  const fields = useTranslations(TERMS);
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.session.me.queryOptions());
  const pairs = useQuery(trpc.rates.pairs.queryOptions(undefined, { refetchInterval: LOOK_ANEW_MS }));
  useLiveChanges(({ action }) => /^(pair_terms|exchange_rate|wallet)\./.test(action), useRefresh(trpc.rates.pairs.queryKey()));
  return (
    <>
      <PageHeader title={t.ratesAndPairs} />
      <QueryBoundary of={pairs} waiting={<Skeleton rows={14} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.none} more={t.noneMore} />
          ) : (
            <Table caption={t.caption} columns={columnsOf(me?.brand ?? "Service", t, fields)} rows={rows} keyOf={pairKey} />
          )
        }
      </QueryBoundary>
      <Calculator />
    </>
  );
}

function columnsOf(brand: string, t: Translations, fields: WithShared<typeof TERMS>): Column<Row>[] {
  return [
    {
      id: "pair",
      header: t.pair,
      pinned: true,
      cell: (row) => <Data>{pairName(row)}</Data>,
      inCard: (row) => <strong translate="no">{pairName(row)}</strong>,
      card: 1.1,
    },
    {
      id: "state",
      header: t.state,
      card: 1.2,
      cell: ({ quoting }) =>
        quoting === "up" ? (
          <Badge word={t.quoting} icon={Check} tone="executed" />
        ) : (
          <Badge word={t.halted} icon={CircleAlert} tone="failed" />
        ),
    },
    {
      id: "rate",
      header: t.exchangeRate,
      align: "end",
      card: 2.1,
      cell: ({ exchange_rate: rate }) => rate ?? <None />,
      inCard: ({ exchange_rate: rate }) => rate ?? t.noRate,
    },
    moneyColumn("fee", t.platformFee, (row) => [row.platform_fee, row.destination_currency], {
      card: 3.2,
      aside: true,
      inCard: (row) => t.fee(t.format.written(row.platform_fee, row.destination_currency)),
    }),
    moneyColumn("minimum", t.minimum, (row) => [row.minimum_source_amount, row.source_currency]),
    moneyColumn("maximum", t.approvalAbove, (row) => [row.maximum_source_amount, row.source_currency], {
      card: 2.2,
      aside: true,
      inCard: (row) => t.approvalFrom(t.format.written(row.maximum_source_amount, row.source_currency)),
    }),
    { id: "lifetime", header: t.quoteLifetime, align: "end", cell: (row) => seconds(row.quote_lifetime_seconds, fields) },
    { id: "chain", header: t.chain, cell: ({ chain }) => <Data>{chain}</Data>, card: 3.1, aside: true },
    { id: "copy", header: "", cell: (row) => <CopyButton text={previewCall(row, brand)} label={t.copyApiCall(pairName(row))} /> },
  ];
}

/**
 * A signed call for the price of a pair's maximum, for a shell with the key and the secret in its environment. It never contains a secret.
 */
function previewCall(
  pair: { source_currency: string; destination_currency: string; chain: string; maximum_source_minor: number },
  brand: string,
): string {
  const query = new URLSearchParams({
    source_currency: pair.source_currency,
    destination_currency: pair.destination_currency,
    chain: pair.chain,
    source_amount: String(pair.maximum_source_minor),
  });
  // The URL is added in the browser when it is copied: during server rendering the origin is unknown.
  const baseUrl = globalThis.location?.origin ?? "";
  return signedCurl({ baseUrl, brand, method: "GET", path: "/api/v1/rates/preview", query: query.toString() });
}

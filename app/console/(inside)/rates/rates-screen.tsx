"use client";

import { useQuery } from "@tanstack/react-query";
import { Ban, Check, CircleAlert } from "lucide-react";
import { useQueryState } from "nuqs";
import { Button } from "../../_components/controls/button.tsx";
import { Badge } from "../../_components/controls/values.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { Answered, Empty, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { grouped } from "../../_format/amount.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Calculator } from "./calculator.tsx";
import { type Pair, pairKey, pairName, STATE_CAUSES, STATE_WORDS, seconds } from "./pair-words.ts";
import { RateAge, Sparkline } from "./rate-signs.tsx";
import { TermsDrawer } from "./terms-drawer.tsx";

/** A rate that grew old is told by no change: it is looked at now and then. */
const LOOK_ANEW_MS = 10_000;

/** Every pair with its rate and its terms; an administrator changes them, the others look. */
export function RatesScreen() {
  const trpc = useTRPC();
  const terms = useQuery(trpc.rates.terms.queryOptions(undefined, { refetchInterval: LOOK_ANEW_MS }));
  const [opened, setOpened] = useQueryState("pair", { history: "push" });
  useLiveChanges(
    ({ action }) => /^(pair_terms|exchange_rate|wallet)\./.test(action),
    useRefresh(trpc.rates.terms.queryKey(), trpc.rates.history.queryKey()),
  );
  const shown = terms.data?.data.find((pair) => pairKey(pair) === opened);
  const onOpen = (pair: Pair) => void setOpened(pairKey(pair));
  return (
    <>
      <PageHeader title="Rates & pairs" />
      <Answered of={terms} waiting={<Skeleton rows={14} />}>
        {({ data: pairs, now }) => (
          <>
            <Halted pairs={pairs} />
            {pairs.length === 0 ? (
              <Empty title="No pairs yet">
                <p>Terms are set for the chains and tokens of the configuration.</p>
              </Empty>
            ) : (
              <Table
                caption="Pairs with their rates and terms"
                columns={columns({ now, readAt: terms.dataUpdatedAt, onOpen })}
                rows={pairs}
                keyOf={pairKey}
              />
            )}
          </>
        )}
      </Answered>
      <Calculator />
      {shown && <TermsDrawer key={pairKey(shown)} pair={shown} onClose={() => void setOpened(null)} />}
    </>
  );
}

/** What cannot be quoted although it should, and why. */
function Halted({ pairs }: { pairs: readonly Pair[] }) {
  const halted = pairs.flatMap((pair) => (pair.state === "up" || pair.state === "disabled" ? [] : [{ pair, state: pair.state }]));
  if (halted.length === 0) return null;
  const causes = [...new Set(halted.map(({ state }) => state))];
  return (
    <div className="note halted" data-kind="danger" role="status">
      <CircleAlert aria-hidden size={16} />
      <div>
        <p className="halted-title">
          {halted.length === 1 ? "Quoting is halted for 1 pair" : `Quoting is halted for ${halted.length} pairs`}
        </p>
        {causes.map((cause) => (
          <p key={cause}>
            {halted
              .filter(({ state }) => state === cause)
              .map(({ pair }) => pairName(pair))
              .join(", ")}
            : {STATE_CAUSES[cause]}.
          </p>
        ))}
      </div>
    </div>
  );
}

function PairState({ state }: { state: Pair["state"] }) {
  if (state === "up") return <Badge word={STATE_WORDS.up} icon={Check} tone="executed" />;
  if (state === "disabled") return <Badge word={STATE_WORDS.disabled} icon={Ban} tone="cancelled" />;
  return <Badge word={STATE_WORDS[state]} icon={CircleAlert} tone="failed" />;
}

type Shown = { now: string; readAt: number; onOpen: (pair: Pair) => void };

const amount = (text: string, currency: string, leastDecimals = 0) => (
  <>
    {grouped(text, leastDecimals)} <span className="money-currency">{currency}</span>
  </>
);

function columns({ now, readAt, onOpen }: Shown): Column<Pair>[] {
  return [
    {
      ...{ id: "pair", header: "Pair", pinned: true, card: 1.1 },
      cell: (pair) => (
        <span className="pair-open">
          <Button look="quiet" onClick={() => onOpen(pair)}>
            {pairName(pair)}
            <span className="sr-only"> on {pair.chain}: terms</span>
          </Button>
        </span>
      ),
    },
    { id: "state", header: "State", cell: ({ state }) => <PairState state={state} />, card: 1.2 },
    {
      ...{ id: "mid", header: "Mid rate", align: "end", card: 2.1 },
      cell: ({ rate }) => rate?.mid_rate ?? <None />,
      inCard: ({ rate }) => rate?.mid_rate ?? "no rate",
    },
    { id: "age", header: "Age", cell: ({ rate }) => <RateAge rate={rate} now={now} readAt={readAt} /> },
    { id: "day", header: "24 h", cell: (pair) => <Sparkline priced={pair.priced} name={pairName(pair)} /> },
    { id: "spread", header: "Spread", align: "end", cell: ({ terms }) => `${terms.spread_bps} bps`, card: 2.2, aside: true },
    { id: "fee", header: "Fee", align: "end", cell: ({ terms, destination_currency: token }) => amount(terms.platform_fee, token, 2) },
    { id: "minimum", header: "Minimum", align: "end", cell: ({ terms }) => grouped(terms.minimum_source_amount, 0) },
    {
      ...{ id: "maximum", header: "Maximum", align: "end", card: 3.1, aside: true },
      cell: ({ terms, source_currency: source }) => amount(terms.maximum_source_amount, source),
      inCard: ({ terms, source_currency: source }) => `up to ${grouped(terms.maximum_source_amount, 0)} ${source}`,
    },
    {
      ...{ id: "two", header: "Two approvals above", align: "end" },
      cell: ({ terms: { two_approvals_above_amount: two } }) => (two === null ? <None /> : grouped(two, 0)),
    },
    { id: "lifetime", header: "Lifetime", align: "end", cell: ({ terms }) => seconds(terms.quote_lifetime_seconds) },
    { id: "overrides", header: "Overrides", align: "end", cell: ({ overrides }) => overrides.length || <None /> },
    { id: "source", header: "Source", cell: ({ rate }) => rate?.source ?? <None /> },
    { id: "chain", header: "Chain", cell: ({ chain }) => chain, card: 3.2, aside: true },
  ];
}

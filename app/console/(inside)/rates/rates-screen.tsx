"use client";

import { useQuery } from "@tanstack/react-query";
import { Ban, Check, CircleAlert } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Badge } from "../../_components/controls/values.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { text } from "../../_components/lists/address-params.ts";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../_words/words.ts";
import { Calculator } from "./calculator.tsx";
import { type Pair, pairKey, pairName, seconds } from "./pair-words.ts";
import { largestMove } from "./rate-course.ts";
import { RateAge, Sparkline } from "./rate-signs.tsx";
import { TERMS } from "./terms-words.ts";
import { PAIR_STATES, RATES_SCREEN } from "./words.ts";

const TermsDrawer = lazyComponent(() => import("./terms-drawer.tsx").then(({ TermsDrawer: Loaded }) => Loaded));

type Translations = WithShared<typeof RATES_SCREEN>;

/** The pair whose terms are open. */
const PARAMS = { pair: text };

/** No event announces that a rate became stale, so this polls. */
const LOOK_ANEW_MS = 10_000;

/** Every pair with its rate and its terms; an administrator can change them. */
export function RatesScreen() {
  const t = useTranslations(RATES_SCREEN);
  const fields = useTranslations(TERMS);
  const trpc = useTRPC();
  const terms = useQuery(trpc.rates.terms.queryOptions(undefined, { refetchInterval: LOOK_ANEW_MS }));
  const [{ pair: opened }, set] = useAddressParams(PARAMS);
  useLiveChanges(
    ({ action }) => /^(pair_terms|exchange_rate|wallet)\./.test(action),
    useRefresh(trpc.rates.terms.queryKey(), trpc.rates.history.queryKey()),
  );
  const shown = terms.data?.data.find((pair) => pairKey(pair) === opened);
  const onOpen = (pair: Pair) => set({ pair: pairKey(pair) });
  return (
    <>
      <PageHeader title={t.ratesAndPairs} />
      <QueryBoundary of={terms} waiting={<Skeleton rows={14} />}>
        {({ data: pairs, now }) => (
          <>
            <Halted pairs={pairs} />
            {pairs.length === 0 ? (
              <Empty title={t.none} more={t.noneMore} />
            ) : (
              <Table
                caption={t.caption}
                columns={columns(
                  { now, readAt: terms.dataUpdatedAt, scale: largestMove(pairs.map(({ priced }) => priced)), onOpen },
                  t,
                  fields,
                )}
                rows={pairs}
                keyOf={pairKey}
              />
            )}
          </>
        )}
      </QueryBoundary>
      <Calculator />
      {shown && <TermsDrawer key={pairKey(shown)} pair={shown} onClose={() => set({ pair: null })} />}
    </>
  );
}

/** Enabled pairs that cannot be quoted, and why. */
function Halted({ pairs }: { pairs: readonly Pair[] }) {
  const t = useTranslations(RATES_SCREEN);
  const states = useTranslations(PAIR_STATES);
  const halted = pairs.flatMap((pair) => (pair.state === "up" || pair.state === "disabled" ? [] : [{ pair, state: pair.state }]));
  if (halted.length === 0) return null;
  const causes = [...new Set(halted.map(({ state }) => state))];
  return (
    <div className="note halted" data-kind="danger" role="status">
      <CircleAlert aria-hidden size={16} />
      <div>
        <p className="halted-title">{t.halted(halted.length)}</p>
        {causes.map((cause) => (
          <p key={cause}>
            {t.haltedBy(
              halted
                .filter(({ state }) => state === cause)
                .map(({ pair }) => pairName(pair))
                .join(", "),
              states.causes[cause],
            )}
          </p>
        ))}
      </div>
    </div>
  );
}

function PairState({ state }: { state: Pair["state"] }) {
  const word = useTranslations(PAIR_STATES)[state];
  if (state === "up") return <Badge word={word} icon={Check} tone="executed" />;
  if (state === "disabled") return <Badge word={word} icon={Ban} tone="cancelled" />;
  return <Badge word={word} icon={CircleAlert} tone="failed" />;
}

/** With its source, which is known if the rate is fixed. */
function MidRate({ rate }: { rate: NonNullable<Pair["rate"]> }) {
  return (
    <>
      {rate.mid_rate}
      {rate.as_of !== null && (
        <span className="cell-more" translate="no">
          {rate.source}
        </span>
      )}
    </>
  );
}

type Shown = { now: string; readAt: number; scale: number; onOpen: (pair: Pair) => void };

const amount = (t: Translations, text: string, currency: string, leastDecimals = 0) => (
  <>
    {t.format.grouped(text, leastDecimals)}{" "}
    <span className="money-currency" translate="no">
      {currency}
    </span>
  </>
);

function columns({ now, readAt, scale, onOpen }: Shown, t: Translations, fields: WithShared<typeof TERMS>): Column<Pair>[] {
  return [
    {
      id: "pair",
      header: t.pair,
      pinned: true,
      card: 1.1,
      cell: (pair) => (
        <span className="pair-open">
          <Button look="quiet" onClick={() => onOpen(pair)}>
            <Data>{pairName(pair)}</Data>
            <span className="sr-only"> {t.onTerms(pair.chain)}</span>
          </Button>
          <span className="cell-more" translate="no">
            {pair.chain}
          </span>
        </span>
      ),
    },
    { id: "state", header: t.state, cell: ({ state }) => <PairState state={state} />, card: 1.2 },
    {
      id: "mid",
      header: t.midRate,
      align: "end",
      card: 2.1,
      cell: ({ rate }) => (rate ? <MidRate rate={rate} /> : <None />),
      inCard: ({ rate }) => rate?.mid_rate ?? t.noRate,
    },
    { id: "age", header: t.age, cell: ({ rate }) => <RateAge rate={rate} now={now} readAt={readAt} /> },
    { id: "day", header: t.day, cell: (pair) => <Sparkline priced={pair.priced} scale={scale} name={pairName(pair)} /> },
    { id: "spread", header: t.spread, align: "end", cell: ({ terms }) => t.bps(terms.spread_bps), card: 2.2, aside: true },
    { id: "fee", header: t.fee, align: "end", cell: ({ terms, destination_currency: token }) => amount(t, terms.platform_fee, token, 2) },
    { id: "minimum", header: t.minimum, align: "end", cell: ({ terms }) => t.format.grouped(terms.minimum_source_amount, 0) },
    {
      id: "maximum",
      header: t.maximum,
      align: "end",
      card: 3.1,
      aside: true,
      cell: ({ terms, source_currency: source }) => amount(t, terms.maximum_source_amount, source),
      inCard: ({ terms, source_currency: source }) => t.upTo(`${t.format.grouped(terms.maximum_source_amount, 0)} ${source}`),
    },
    {
      id: "two",
      header: t.twoApprovalsAbove,
      align: "end",
      cell: ({ terms: { two_approvals_above_amount: two } }) => (two === null ? <None /> : t.format.grouped(two, 0)),
    },
    { id: "lifetime", header: t.lifetime, align: "end", cell: ({ terms }) => seconds(terms.quote_lifetime_seconds, fields) },
    { id: "overrides", header: t.overrides, align: "end", cell: ({ overrides }) => overrides.length || <None /> },
  ];
}

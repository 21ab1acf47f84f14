import { useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { add, type Decimal, decimal, formatDecimal } from "#domain/decimal.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Chart } from "../../_components/controls/chart.tsx";
import { Lines } from "../../_components/controls/chart-plot.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Badge, Money, Time } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { plain } from "../../_components/lists/filters.ts";
import { Empty, ErrorState, Skeleton, Stale } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { leastDecimalsOf } from "../../_format/amount.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { compareAmounts } from "../approvals/amounts.ts";
import { FUND_POOL, POOL_PART } from "./words.ts";

type Translations = WithShared<typeof POOL_PART>;

type Pool = Answers["fiat"]["pools"][number];

/** A line for each currency: available, promised and expected amounts; for the operator also how they came about. */
export function PoolPart({ isOperator, mayFund, playMoney }: { isOperator: boolean; mayFund: boolean; playMoney: boolean }) {
  const t = useTranslations(POOL_PART);
  const trpc = useTRPC();
  const options = trpc.fiat.pools.queryOptions();
  const pools = useQuery(options);
  useLiveChanges(({ action }) => /^(withdrawal|topup|pool)\./.test(action), useRefresh(options.queryKey));
  if (pools.isPending) return <Skeleton rows={6} />;
  if (!pools.data) return <ErrorState error={pools.error} onRetry={() => void pools.refetch()} />;
  if (pools.data.length === 0) {
    return (
      <Empty title={t.none}>
        <p>
          <Trans sentence={t.noneMore} command={<code translate="no">npm run fund-pool</code>} />
        </p>
      </Empty>
    );
  }
  const funds = mayFund && playMoney ? [FUND] : [];
  return (
    <>
      {playMoney && <Note>{t.playMoney}</Note>}
      {pools.error && <Stale since={pools.dataUpdatedAt} error={pools.error} onRetry={() => void pools.refetch()} />}
      <Table caption={t.caption} columns={[...columnsFor(isOperator, t), ...funds]} rows={pools.data} keyOf={({ currency }) => currency} />
      {isOperator && <History pools={pools.data} />}
    </>
  );
}

const moneyOf = (id: string, header: string, of: (pool: Pool) => string, card: number) =>
  moneyColumn<Pool>(id, header, (pool) => [of(pool), pool.currency], {
    card,
    inCard: (pool) => (
      <>
        <span className="muted">{header}</span> <Money amount={of(pool)} currency={pool.currency} />
      </>
    ),
  });

function columnsFor(isOperator: boolean, t: Translations): Column<Pool>[] {
  return [
    { id: "currency", header: t.pool, pinned: true, cell: ({ currency }) => <strong translate="no">{currency}</strong>, card: 1.1 },
    ...(isOperator ? [{ id: "state", header: t.state, cell: (pool: Pool) => stateOf(pool, t), card: 1.2 }] : []),
    moneyOf("available", t.available, ({ available }) => available, 2),
    moneyOf("reserved", t.reserved, ({ reserved }) => reserved, 3),
    moneyOf("pending", t.incoming, ({ pending_in }) => pending_in, 4),
    moneyOf("largest", t.largestWithdrawal, largestOf, 5),
    ...(isOperator
      ? [
          {
            id: "provider",
            header: t.atProvider,
            cell: (pool: Pool) => <AtProvider pool={pool} />,
            inCard: (pool: Pool) => (
              <>
                <span className="muted">{t.atProvider}</span> <AtProvider pool={pool} />
              </>
            ),
            card: 7,
          },
        ]
      : []),
    ...(isOperator ? [moneyOf("low", t.lowWaterMark, ({ low_water: low }) => low ?? "0", 6)] : []),
  ];
}

/** What the provider says that it holds, where that is not what the pool says. */
function AtProvider({ pool: { provider, currency } }: { pool: Pool }) {
  const t = useTranslations(POOL_PART);
  if (provider === null) return <span className="none">{t.notAsked}</span>;
  if (provider.problem !== null)
    return (
      <span title={provider.problem}>
        <Badge word={t.notKnown} icon={TriangleAlert} tone="plain" />
      </span>
    );
  if (provider.difference === null || provider.differs_since === null) return <Badge word={t.sameThere} icon={Check} tone="plain" />;
  return (
    <span className="who">
      <Money amount={provider.difference} currency={currency} />
      <span className="muted">
        <Time at={provider.differs_since} />
      </span>
    </span>
  );
}

const FUND: Column<Pool> = {
  id: "fund",
  header: "",
  card: 8,
  cell: ({ currency, low_water: low, is_low: isLow }) => <FundPool currency={currency} proposed={low ?? ""} isLow={isLow} />,
};

/** A pool that is low says how much is missing to its mark. */
function stateOf({ is_low: isLow, low_water: mark, available, currency }: Pool, t: Translations) {
  if (!isLow) return <Badge word={t.enough} icon={Check} tone="plain" />;
  const missing = formatDecimal(add(decimal(mark ?? "0"), negative(decimal(available))));
  return (
    <span className="pool-low">
      <Badge word={t.low} icon={TriangleAlert} tone="undelivered" />
      {mark !== null && (
        <span className="muted small">
          <Trans sentence={t.missing} amount={<Money amount={missing} currency={currency} />} />
        </span>
      )}
    </span>
  );
}

function negative({ coefficient, scale }: Decimal): Decimal {
  return { coefficient: -coefficient, scale };
}

/** The amount available right now. */
function largestOf({ maximum, available }: Pool): string {
  return compareAmounts(maximum, available) > 0 ? available : maximum;
}

/** A pool's balance at the end of each day of business time. The plot uses numbers; the texts use exact figures. */
function History({ pools }: { pools: readonly Pool[] }) {
  const t = useTranslations(POOL_PART);
  const [chosen, setChosen] = useState("");
  const pool = pools.find(({ currency }) => currency === chosen) ?? pools.find((each) => each.is_low) ?? pools[0];
  const [first, last] = [pool?.days[0], pool?.days.at(-1)];
  if (pool === undefined || first === undefined || last === undefined) return null;
  const { days, currency } = pool;
  const shown = (text: string) => t.format.grouped(text, leastDecimalsOf(currency));
  const amount = (value: number) => `${t.format.rounded(value, 2)} ${currency}`;
  return (
    <Chart
      title={t.title(currency)}
      aside={
        <Select
          label={t.pool}
          hideLabel
          value={currency}
          choices={plain(pools.map((each) => each.currency))}
          onChange={({ target }) => setChosen(target.value)}
        />
      }
      summary={t.summary(shown(first.total), t.format.dayOf(first.day), shown(last.total), currency)}
      table={{
        columns: [
          { header: t.dayUtc },
          { header: t.in, align: "end" },
          { header: t.out, align: "end" },
          { header: t.balanceAtEnd, align: "end" },
        ],
        rows: days.toReversed().map(({ day, in: came, out, total }) => ({
          key: day,
          cells: [t.format.dayOf(day), shown(came), shown(out), shown(total)],
        })),
      }}
    >
      <Lines
        label={t.chartLabel(currency)}
        step
        series={[{ key: "total", label: t.balance, color: "var(--accent)", mark: "line" }]}
        points={days.map(({ day, total }) => ({ id: day, tick: t.format.shortDayOf(day, "utc"), values: { total: Number(total) } }))}
        nameOf={({ id }) => t.format.dayOf(id)}
        format={amount}
        tick={(value) => t.format.compact(value)}
        axis={t.chartAxis(currency)}
        {...(pool.low_water !== null && { reference: { at: Number(pool.low_water), label: t.lowWaterMark } })}
      />
    </Chart>
  );
}

const FundDialog = lazyComponent(() => import("./fund-dialog.tsx").then(({ FundDialog: Loaded }) => Loaded));

/** Opens the dialog that adds play money to a pool of a simulated provider. */
function FundPool({ currency, proposed, isLow }: { currency: string; proposed: string; isLow: boolean }) {
  const t = useTranslations(FUND_POOL);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="fund">
      <Button look={isLow ? "primary" : "plain"} onClick={() => setOpen(true)}>
        {t.fund}
        <span className="sr-only"> {t.pool(currency)}</span>
      </Button>
      {isOpen && <FundDialog currency={currency} proposed={proposed} onClose={() => setOpen(false)} />}
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Chart, Lines } from "../../_components/controls/chart.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { Badge, Money } from "../../_components/controls/values.tsx";
import { plain } from "../../_components/lists/filters.ts";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { grouped, leastDecimalsOf } from "../../_format/amount.ts";
import { dayOf } from "../../_format/time.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { compareAmounts } from "../approvals/amounts.ts";
import { FundPool } from "./fund-pool.tsx";
import { POOL_PART } from "./words.ts";

type Says = typeof POOL_PART;

type Pool = Answers["fiat"]["pools"][number];

/** A line for each currency: what can be paid out, what is promised, what is still to come; and for the operator how one came to that. */
export function PoolPart({ isOperator, mayFund }: { isOperator: boolean; mayFund: boolean }) {
  const says = useWords(POOL_PART);
  const trpc = useTRPC();
  const options = trpc.fiat.pools.queryOptions();
  const pools = useQuery(options);
  useLiveChanges(({ action }) => /^(withdrawal|topup|pool)\./.test(action), useRefresh(options.queryKey));
  if (pools.isPending) return <Skeleton rows={6} />;
  if (!pools.data) return <Trouble error={pools.error} onRetry={() => void pools.refetch()} />;
  if (pools.data.length === 0) {
    return (
      <Empty title={says.none}>
        <p>
          <Told sentence={says.noneMore} command={<code translate="no">npm run fund-pool</code>} />
        </p>
      </Empty>
    );
  }
  return (
    <>
      {pools.error && <Stale since={pools.dataUpdatedAt} error={pools.error} onRetry={() => void pools.refetch()} />}
      <Table
        caption={says.caption}
        columns={mayFund ? [...columnsFor(isOperator, says), FUND] : columnsFor(isOperator, says)}
        rows={pools.data}
        keyOf={({ currency }) => currency}
      />
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

function columnsFor(isOperator: boolean, says: Says): Column<Pool>[] {
  return [
    { id: "currency", header: says.pool, pinned: true, cell: ({ currency }) => <strong translate="no">{currency}</strong>, card: 1.1 },
    ...(isOperator ? [{ id: "state", header: says.state, cell: (pool: Pool) => stateOf(pool, says), card: 1.2 }] : []),
    moneyOf("available", says.available, ({ available }) => available, 2),
    moneyOf("reserved", says.reserved, ({ reserved }) => reserved, 3),
    moneyOf("pending", says.comingIn, ({ pending_in }) => pending_in, 4),
    moneyOf("largest", says.largestWithdrawal, largestOf, 5),
    ...(isOperator ? [moneyOf("low", says.lowWaterMark, ({ low_water: low }) => low ?? "0", 6)] : []),
  ];
}

const FUND: Column<Pool> = {
  ...{ id: "fund", header: "", card: 7 },
  cell: ({ currency, maximum }) => <FundPool currency={currency} maximum={maximum} />,
};

function stateOf({ is_low: isLow }: Pool, says: Says) {
  return isLow ? <Badge word={says.low} icon={TriangleAlert} tone="undelivered" /> : <Badge word={says.enough} icon={Check} tone="plain" />;
}

/** What can be taken out just now: never more than is there. */
function largestOf({ maximum, available }: Pool): string {
  return compareAmounts(maximum, available) > 0 ? available : maximum;
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** What a pool held at the end of each day of business time. Figures are plotted as numbers, and told as they are. */
function History({ pools }: { pools: readonly Pool[] }) {
  const says = useWords(POOL_PART);
  const [chosen, setChosen] = useState("");
  const pool = pools.find(({ currency }) => currency === chosen) ?? pools.find((each) => each.is_low) ?? pools[0];
  const [first, last] = [pool?.days[0], pool?.days.at(-1)];
  if (pool === undefined || first === undefined || last === undefined) return null;
  const { days, currency } = pool;
  const shown = (text: string) => grouped(text, leastDecimalsOf(currency));
  const amount = (value: number) => `${value.toLocaleString("en", { maximumFractionDigits: 2 })} ${currency}`;
  return (
    <Chart
      title={says.title(currency)}
      aside={
        <Select
          label={says.pool}
          hideLabel
          value={currency}
          choices={plain(pools.map((each) => each.currency))}
          onChange={({ target }) => setChosen(target.value)}
        />
      }
      summary={says.summary(shown(first.total), dayOf(first.day), shown(last.total), currency)}
      table={{
        columns: [
          { header: says.dayUtc },
          { header: says.in, align: "end" },
          { header: says.out, align: "end" },
          { header: says.heldEnd, align: "end" },
        ],
        rows: days.toReversed().map(({ day, in: came, out, total }) => ({
          key: day,
          cells: [dayOf(day), shown(came), shown(out), shown(total)],
        })),
      }}
    >
      <Lines
        label={says.plot(currency)}
        series={[{ key: "total", label: says.held, color: "var(--accent)", mark: "line" }]}
        points={days.map(({ day, total }) => ({ id: day, tick: dayOf(day).replace(/ \d{4}$/, ""), values: { total: Number(total) } }))}
        nameOf={({ id }) => dayOf(id)}
        format={amount}
        tick={(value) => COMPACT.format(value)}
        axis={says.axis(currency)}
        {...(pool.low_water !== null && { reference: { at: Number(pool.low_water), label: says.lowWaterMark } })}
      />
    </Chart>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Chart, Lines } from "../../_components/controls/chart.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { Badge, Money } from "../../_components/controls/values.tsx";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { grouped, leastDecimalsOf } from "../../_format/amount.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { compareAmounts } from "../approvals/amounts.ts";
import { FundPool } from "./fund-pool.tsx";

type Pool = Answers["fiat"]["pools"][number];

/** A line for each currency: what can be paid out, what is promised, what is still to come; and for the operator how one came to that. */
export function PoolPart({ isOperator, mayFund }: { isOperator: boolean; mayFund: boolean }) {
  const trpc = useTRPC();
  const options = trpc.fiat.pools.queryOptions();
  const pools = useQuery(options);
  useLiveChanges(({ action }) => /^(withdrawal|topup|pool)\./.test(action), useRefresh(options.queryKey));
  if (pools.isPending) return <Skeleton rows={6} />;
  if (!pools.data) return <Trouble error={pools.error} onRetry={() => void pools.refetch()} />;
  if (pools.data.length === 0) {
    return (
      <Empty title="No pool yet">
        <p>
          A pool is opened with <code>npm run fund-pool</code>, which says what was paid in with the provider.
        </p>
      </Empty>
    );
  }
  return (
    <>
      {pools.error && <Stale since={pools.dataUpdatedAt} error={pools.error} onRetry={() => void pools.refetch()} />}
      <Table
        caption="Fiat pools"
        columns={mayFund ? [...columnsFor(isOperator), FUND] : columnsFor(isOperator)}
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

function columnsFor(isOperator: boolean): Column<Pool>[] {
  return [
    { id: "currency", header: "Pool", pinned: true, cell: ({ currency }) => <strong>{currency}</strong>, card: 1.1 },
    ...(isOperator ? [{ id: "state", header: "State", cell: stateOf, card: 1.2 }] : []),
    moneyOf("available", "Available", ({ available }) => available, 2),
    moneyOf("reserved", "Reserved for withdrawals", ({ reserved }) => reserved, 3),
    moneyOf("pending", "Coming in", ({ pending_in }) => pending_in, 4),
    moneyOf("largest", "Largest withdrawal", largestOf, 5),
    ...(isOperator ? [moneyOf("low", "Low-water mark", ({ low_water: low }) => low ?? "0", 6)] : []),
  ];
}

const FUND: Column<Pool> = {
  ...{ id: "fund", header: "", card: 7 },
  cell: ({ currency, maximum }) => <FundPool currency={currency} maximum={maximum} />,
};

function stateOf({ is_low: isLow }: Pool) {
  return isLow ? <Badge word="Low" icon={TriangleAlert} tone="undelivered" /> : <Badge word="Enough" icon={Check} tone="plain" />;
}

/** What can be taken out just now: never more than is there. */
function largestOf({ maximum, available }: Pool): string {
  return compareAmounts(maximum, available) > 0 ? available : maximum;
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** What a pool held at the end of each day of business time. Figures are plotted as numbers, and told as they are. */
function History({ pools }: { pools: readonly Pool[] }) {
  const [chosen, setChosen] = useState("");
  const pool = pools.find(({ currency }) => currency === chosen) ?? pools.find((each) => each.is_low) ?? pools[0];
  const [first, last] = [pool?.days[0], pool?.days.at(-1)];
  const dayOf = (at: string) => at.slice(0, 10);
  if (pool === undefined || first === undefined || last === undefined) return null;
  const { days, currency } = pool;
  const shown = (text: string) => grouped(text, leastDecimalsOf(currency));
  const amount = (value: number) => `${value.toLocaleString("en", { maximumFractionDigits: 2 })} ${currency}`;
  return (
    <Chart
      title={`${currency}, 30 days`}
      aside={
        <Select
          label="Pool"
          hideLabel
          value={currency}
          choices={pools.map(({ currency: value }) => ({ value, label: value }))}
          onChange={({ target }) => setChosen(target.value)}
        />
      }
      summary={`From ${shown(first.total)} on ${dayOf(first.day)} to ${shown(last.total)} ${currency} now.`}
      table={{
        columns: [
          { header: "Day (UTC)" },
          { header: "In", align: "end" },
          { header: "Out", align: "end" },
          { header: "Held at its end", align: "end" },
        ],
        rows: days.toReversed().map(({ day, in: came, out, total }) => ({
          key: day,
          cells: [dayOf(day), shown(came), shown(out), shown(total)],
        })),
      }}
    >
      <Lines
        label={`What the ${currency} pool held at the end of each day`}
        series={[{ key: "total", label: "Held", color: "var(--accent)", mark: "line" }]}
        points={days.map(({ day, total }) => ({ id: day, tick: dayOf(day).slice(5), values: { total: Number(total) } }))}
        nameOf={({ id }) => dayOf(id)}
        format={amount}
        tick={(value) => COMPACT.format(value)}
        axis={`${currency} held, by day, UTC`}
        {...(pool.low_water !== null && { reference: { at: Number(pool.low_water), label: "Low-water mark" } })}
      />
    </Chart>
  );
}

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Chart, Lines } from "../../_components/controls/chart.tsx";
import { KeyValues, Money } from "../../_components/controls/values.tsx";
import { Note, Section } from "../../_components/frame/page-parts.tsx";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { grouped, leastDecimalsOf } from "../../_format/amount.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { FundPool } from "./fund-pool.tsx";

type Pool = Answers["fiat"]["pools"][number];

/** Per currency: what can be paid out, what is promised, what is still to come; and for the operator how it came to that. */
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
      {pools.data.map((pool) => (
        <Section
          key={pool.currency}
          title={`${pool.currency} pool`}
          aside={mayFund && <FundPool currency={pool.currency} maximum={pool.maximum} />}
        >
          <OnePool pool={pool} isOperator={isOperator} />
        </Section>
      ))}
    </>
  );
}

function OnePool({ pool, isOperator }: { pool: Pool; isOperator: boolean }) {
  const { currency } = pool;
  return (
    <>
      <p className="pool-free">
        <Money amount={pool.available} currency={currency} size="large" />
        <span className="muted">available</span>
      </p>
      {pool.is_low && (
        <Note kind="warning">
          <TriangleAlert aria-hidden size={16} /> Below the low-water mark of {grouped(pool.low_water ?? "0")} {currency}: add money with
          the provider.
        </Note>
      )}
      <Gauge pool={pool} />
      <KeyValues
        items={[
          { key: "Held with the provider", value: <Money amount={pool.total} currency={currency} /> },
          { key: "Smallest withdrawal", value: <Money amount={pool.minimum} currency={currency} /> },
          { key: "Largest withdrawal", value: <Money amount={pool.maximum} currency={currency} /> },
          pool.low_water !== null && { key: "Low-water mark", value: <Money amount={pool.low_water} currency={currency} /> },
        ]}
      />
      {isOperator && <History pool={pool} />}
    </>
  );
}

/** One bar of what is there or to come. The figures stand beside their part's name: the bar only repeats them. */
function Gauge({ pool }: { pool: Pool }) {
  const { shares, currency } = pool;
  const parts = [
    { key: "available", label: "Available", amount: pool.available, share: shares.available },
    { key: "reserved", label: "Reserved for withdrawals", amount: pool.reserved, share: shares.reserved },
    { key: "pending", label: "Pending in from top-ups", amount: pool.pending_in, share: shares.pending_in },
  ];
  let from = 0;
  return (
    <div className="gauge">
      <svg className="gauge-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden focusable="false">
        {parts.map(({ key, share }) => {
          const x = from;
          from += share;
          return <rect key={key} className="gauge-part" data-part={key} x={x} y={0} width={share} height={10} />;
        })}
      </svg>
      <ul className="gauge-legend">
        {parts.map(({ key, label, amount }) => (
          <li key={key}>
            <span className="gauge-mark" data-part={key} aria-hidden />
            <span className="muted">{label}</span>
            <Money amount={amount} currency={currency} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** What the pool held at the end of each day of business time. Figures are plotted as numbers, and told as they are. */
function History({ pool }: { pool: Pool }) {
  const { days, currency } = pool;
  const [first, last] = [days[0], days.at(-1)];
  const dayOf = (at: string) => at.slice(0, 10);
  if (first === undefined || last === undefined) return null;
  const shown = (text: string) => grouped(text, leastDecimalsOf(currency));
  const amount = (value: number) => `${value.toLocaleString("en", { maximumFractionDigits: 2 })} ${currency}`;
  return (
    <Chart
      title={`${currency}, 30 days`}
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

import { useState } from "react";
import { Chart, Columns, ended, Key, Lines } from "../../_components/controls/chart.tsx";
import type { Series } from "../../_components/controls/chart-plot.tsx";
import { Select } from "../../_components/controls/field.tsx";
import type { SeriesOfRange } from "./use-overview.ts";
import { useSpans } from "./use-spans.ts";
import { count, duration } from "./words.ts";

const PACE: readonly Series[] = [
  { key: "p50", label: "p50", color: "var(--accent)", mark: "line" },
  { key: "p95", label: "p95", color: "var(--accent)", mark: "dashed" },
];

/** ④ How long execution took on a chain: half of them and 95 of a hundred were faster. */
export function ExecutionChart({ series }: { series: SeriesOfRange }) {
  const { execution } = series;
  const chains = [...new Set(execution.map(({ chain }) => chain))].sort();
  const [picked, setPicked] = useState("");
  const chain = chains.includes(picked) ? picked : (chains[0] ?? "");
  const own = execution.filter((point) => point.chain === chain);
  const { nameOf, plotOf } = useSpans(series, own, "Executed");
  const slowest = own.reduce((most, point) => Math.max(most, point.p95_seconds), 0);
  return (
    <Chart
      title="Confirmed to executed"
      summary={own.length === 0 ? "None were executed in this range." : `On ${chain}; p95 at most ${duration(slowest)}.`}
      aside={
        chains.length > 1 && (
          <Select
            label="Chain"
            hideLabel
            value={chain}
            choices={chains.map((value) => ({ value, label: value }))}
            onChange={({ target }) => setPicked(target.value)}
          />
        )
      }
      table={{
        columns: [{ header: "When" }, { header: "Chain" }, ...ended("Executed", "p50", "p95")],
        rows: execution.map((point) => ({
          key: `${point.at} ${point.chain}`,
          cells: [nameOf(point), point.chain, count(point.count), duration(point.p50_seconds), duration(point.p95_seconds)],
        })),
      }}
      isEmpty={own.length === 0}
    >
      <Lines
        label={`Seconds from confirmation to execution on ${chain}`}
        series={PACE}
        band={{ from: "p50", to: "p95", color: "var(--accent)" }}
        {...plotOf(({ point }) => ({ p50: point?.p50_seconds ?? null, p95: point?.p95_seconds ?? null }))}
        format={duration}
      />
    </Chart>
  );
}

const AGES: readonly Series[] = [
  { key: "waiting", label: "Waiting now", color: "var(--state-pending-text)", mark: "striped" },
  { key: "decided", label: "When decided", color: "var(--state-approved-text)", mark: "solid" },
];

/** ⑤ How old approvals are now, and how old the decided ones had become. */
export function ApprovalAgeChart({ series: { approval_ages: ages } }: { series: SeriesOfRange }) {
  const buckets = ages.map(({ up_to_seconds: upTo, waiting, decided }, index) => {
    const since = ages[index - 1]?.up_to_seconds ?? 0;
    return { id: String(since), word: upTo === null ? `over ${duration(since)}` : `≤ ${duration(upTo)}`, waiting, decided };
  });
  const [waiting, decided] = [ages.reduce((sum, each) => sum + each.waiting, 0), ages.reduce((sum, each) => sum + each.decided, 0)];
  return (
    <Chart
      title="Age of approvals"
      summary={
        waiting + decided === 0
          ? "None wait, and none were decided in this range."
          : `${count(waiting)} wait now; ${count(decided)} were decided in this range.`
      }
      aside={waiting + decided > 0 && <Key series={AGES} />}
      table={{
        columns: [{ header: "Age" }, ...ended("Waiting now", "When decided")],
        rows: buckets.map((each) => ({ key: each.id, cells: [each.word, count(each.waiting), count(each.decided)] })),
      }}
      isEmpty={waiting + decided === 0}
    >
      <Columns
        label="Approvals by age"
        series={AGES}
        points={buckets.map((each) => ({ id: each.id, tick: each.word, values: { waiting: each.waiting, decided: each.decided } }))}
        format={count}
        axis="Age since creation"
        everyTick
      />
    </Chart>
  );
}

const DECISIONS: readonly Series[] = [
  { key: "approved", label: "Approved", color: "var(--state-approved-text)", mark: "solid" },
  { key: "rejected", label: "Rejected", color: "var(--state-rejected-text)", mark: "striped" },
];

/** ⑤ Decisions as they were made. */
export function DecisionChart({ series }: { series: SeriesOfRange }) {
  const { spans, plotOf } = useSpans(series, series.decisions, "Decided");
  const sumOf = (of: "approved" | "rejected") => spans.reduce((sum, { point }) => sum + (point?.[of] ?? 0), 0);
  const [approved, rejected] = [sumOf("approved"), sumOf("rejected")];
  return (
    <Chart
      title="Decisions"
      summary={approved + rejected === 0 ? "None were made in this range." : `${count(approved)} approved, ${count(rejected)} rejected.`}
      aside={approved + rejected > 0 && <Key series={DECISIONS} />}
      table={{
        columns: [{ header: "When" }, ...ended("Approved", "Rejected")],
        rows: spans.flatMap(({ id, name, point }) =>
          point && point.approved + point.rejected > 0 ? { key: id, cells: [name, count(point.approved), count(point.rejected)] } : [],
        ),
      }}
      isEmpty={approved + rejected === 0}
    >
      <Columns
        label="Decisions"
        series={DECISIONS}
        {...plotOf(({ point }) => ({ approved: point?.approved ?? 0, rejected: point?.rejected ?? 0 }))}
        format={count}
      />
    </Chart>
  );
}

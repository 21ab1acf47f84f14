import { useState } from "react";
import { Chart, ended, Key } from "../../_components/controls/chart.tsx";
import { Columns, Lines } from "../../_components/controls/chart-plot.tsx";
import { Select } from "../../_components/controls/field.tsx";
import type { Series } from "../../_components/controls/plot.ts";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { TIMING_CHARTS } from "./plot-words.ts";
import type { SeriesOfRange } from "./use-overview.ts";
import { useSpans } from "./use-spans.ts";

type Translations = WithShared<typeof TIMING_CHARTS>;

const timingsOf = (t: Translations): readonly Series[] => [
  { key: "p50", label: t.p50, color: "var(--accent)", mark: "line" },
  { key: "p95", label: t.p95, color: "var(--accent)", mark: "dashed" },
];

/** ④ The execution time on a chain: the median and the 95th percentile. */
export function ExecutionChart({ series }: { series: SeriesOfRange }) {
  const t = useTranslations(TIMING_CHARTS);
  const { execution } = series;
  const chains = [...new Set(execution.map(({ chain }) => chain))].sort();
  const [picked, setPicked] = useState("");
  const chain = chains.includes(picked) ? picked : (chains[0] ?? "");
  const own = execution.filter((point) => point.chain === chain);
  const { nameOf, plotOf } = useSpans(series, own, t.executed);
  const slowest = own.reduce((most, point) => Math.max(most, point.p95_seconds), 0);
  return (
    <Chart
      title={t.executionTitle}
      summary={own.length === 0 ? t.noneExecuted : t.executionSummary(chain, t.format.duration(slowest))}
      aside={
        chains.length > 1 && (
          <Select
            label={t.chain}
            hideLabel
            value={chain}
            choices={chains.map((value) => ({ value, label: value }))}
            onChange={({ target }) => setPicked(target.value)}
          />
        )
      }
      table={{
        columns: [{ header: t.when }, { header: t.chain }, ...ended(t.executed, "p50", "p95")],
        rows: execution.map((point) => ({
          key: `${point.at} ${point.chain}`,
          cells: [
            nameOf(point),
            point.chain,
            t.format.count(point.count),
            t.format.duration(point.p50_seconds),
            t.format.duration(point.p95_seconds),
          ],
        })),
      }}
      isEmpty={own.length === 0}
    >
      <Lines
        label={t.executionCaption(chain)}
        series={timingsOf(t)}
        band={{ from: "p50", to: "p95", color: "var(--accent)" }}
        {...plotOf(
          ({ point }) => ({ p50: point?.p50_seconds ?? null, p95: point?.p95_seconds ?? null }),
          ({ count: executed }) => executed,
        )}
        format={t.format.duration}
      />
    </Chart>
  );
}

const agesOf = (t: Translations): readonly Series[] => [
  { key: "waiting", label: t.waitingNow, color: "var(--state-pending-text)", mark: "striped" },
  { key: "decided", label: t.whenDecided, color: "var(--state-approved-text)", mark: "solid" },
];

/** ⑤ The age of open approvals, and the age at which others were decided. */
export function ApprovalAgeChart({ series: { approval_ages: ages } }: { series: SeriesOfRange }) {
  const t = useTranslations(TIMING_CHARTS);
  const buckets = ages.map(({ up_to_seconds: upTo, waiting, decided }, index) => {
    const since = ages[index - 1]?.up_to_seconds ?? 0;
    return {
      id: String(since),
      word: upTo === null ? t.decidedSince(t.format.duration(since)) : `≤ ${t.format.duration(upTo)}`,
      waiting,
      decided,
    };
  });
  const [waiting, decided] = [ages.reduce((sum, each) => sum + each.waiting, 0), ages.reduce((sum, each) => sum + each.decided, 0)];
  return (
    <Chart
      title={t.approvalTitle}
      summary={waiting + decided === 0 ? t.approvalNone : t.approvalSummary(t.format.count(waiting), t.format.count(decided))}
      aside={waiting + decided > 0 && <Key series={agesOf(t)} />}
      table={{
        columns: [{ header: t.age }, ...ended(t.waitingNow, t.whenDecided)],
        rows: buckets.map((each) => ({ key: each.id, cells: [each.word, t.format.count(each.waiting), t.format.count(each.decided)] })),
      }}
      isEmpty={waiting + decided === 0}
    >
      <Columns
        label={t.approvalCaption}
        series={agesOf(t)}
        points={buckets.map((each) => ({ id: each.id, tick: each.word, values: { waiting: each.waiting, decided: each.decided } }))}
        format={t.format.count}
        axis={t.ageSinceCreation}
        everyTick
      />
    </Chart>
  );
}

const decisionsOf = (t: Translations): readonly Series[] => [
  { key: "approved", label: t.approved, color: "var(--state-approved-text)", mark: "solid" },
  { key: "rejected", label: t.rejected, color: "var(--state-rejected-text)", mark: "striped" },
];

/** ⑤ Decisions by time. */
export function DecisionChart({ series }: { series: SeriesOfRange }) {
  const t = useTranslations(TIMING_CHARTS);
  const { spans, plotOf } = useSpans(series, series.decisions, t.decided);
  const sumOf = (of: "approved" | "rejected") => spans.reduce((sum, { point }) => sum + (point?.[of] ?? 0), 0);
  const [approved, rejected] = [sumOf("approved"), sumOf("rejected")];
  return (
    <Chart
      title={t.decisions}
      summary={approved + rejected === 0 ? t.noDecisions : t.decisionsSummary(t.format.count(approved), t.format.count(rejected))}
      aside={approved + rejected > 0 && <Key series={decisionsOf(t)} />}
      table={{
        columns: [{ header: t.when }, ...ended(t.approved, t.rejected)],
        rows: spans.flatMap(({ id, name, point }) =>
          point && point.approved + point.rejected > 0
            ? { key: id, cells: [name, t.format.count(point.approved), t.format.count(point.rejected)] }
            : [],
        ),
      }}
      isEmpty={approved + rejected === 0}
    >
      <Columns
        label={t.decisions}
        series={decisionsOf(t)}
        {...plotOf(({ point }) => ({ approved: point?.approved ?? 0, rejected: point?.rejected ?? 0 }))}
        format={t.format.count}
      />
    </Chart>
  );
}

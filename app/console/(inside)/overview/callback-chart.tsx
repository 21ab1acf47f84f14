"use client";

import { Chart, Lines } from "../../_components/chart.tsx";
import type { Series } from "../../_components/chart-plot.tsx";
import { useZone } from "../../_components/time.tsx";
import { Nothing } from "./outcome-charts.tsx";
import type { Figures } from "./use-overview.ts";
import { axisOf, count, namesOfPoint, percent, spanStarts } from "./words.ts";

const SERIES: readonly Series[] = [
  { key: "eventual", label: "In the end", color: "var(--state-executed-text)", mark: "line" },
  { key: "first", label: "At first", color: "var(--state-undelivered-text)", mark: "dashed" },
];

/** ⑥ How many callbacks were taken at the first attempt, and how many in the end. */
export function CallbackChart({ figures: { callbacks, period, span_seconds: spanSeconds } }: { figures: Figures }) {
  const zone = useZone();
  const found = new Map(callbacks.map((point) => [new Date(point.at).getTime(), point]));
  const sum = (of: (point: (typeof callbacks)[number]) => number) => callbacks.reduce((total, point) => total + of(point), 0);
  const all = sum((point) => point.count);
  const spans = spanStarts(period, spanSeconds).map((start) => ({
    id: start.toISOString(),
    ...namesOfPoint(start, spanSeconds, zone),
    point: found.get(start.getTime()),
  }));
  const shareOf = (part: number | undefined, whole: number | undefined) => (whole ? ((part ?? 0) / whole) * 100 : null);
  return (
    <Chart
      title="Callbacks acknowledged"
      summary={
        all === 0
          ? "None were sent in this range."
          : `${percent(sum((point) => point.first) / all)} of ${count(all)} at the first attempt, ${percent(sum((point) => point.delivered) / all)} so far; ${count(sum((point) => point.undelivered))} undelivered.`
      }
      table={{
        columns: [
          { header: "When" },
          ...["Callbacks", "At the first attempt", "In the end", "Undelivered"].map((header) => ({ header, align: "end" as const })),
        ],
        rows: callbacks.map((point) => ({
          key: point.at,
          cells: [
            namesOfPoint(new Date(point.at), spanSeconds, zone).name,
            ...[point.count, point.first, point.delivered, point.undelivered].map(count),
          ],
        })),
      }}
    >
      {all === 0 ? (
        <Nothing />
      ) : (
        <Lines
          label="Callbacks acknowledged, in per cent"
          series={SERIES}
          points={spans.map(({ id, tick, point }) => ({
            id,
            tick,
            values: { eventual: shareOf(point?.delivered, point?.count), first: shareOf(point?.first, point?.count) },
          }))}
          format={(value) => `${Math.round(value)} %`}
          nameOf={({ id }) => spans.find((each) => each.id === id)?.name ?? id}
          most={100}
          axis={`Created ${axisOf(spanSeconds, zone)}`}
        />
      )}
    </Chart>
  );
}

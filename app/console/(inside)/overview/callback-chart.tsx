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

type Point = Figures["callbacks"][number];

/** Only what has come to an end is measured: one that is still tried counts neither way. */
const endedOf = ({ delivered, undelivered }: Point) => delivered + undelivered;
const shareOf = (part: number, point: Point) => (endedOf(point) === 0 ? null : (part / endedOf(point)) * 100);

/** ⑥ How many callbacks were taken at the first attempt, and how many in the end. */
export function CallbackChart({ figures: { callbacks, period, span_seconds: spanSeconds } }: { figures: Figures }) {
  const zone = useZone();
  const found = new Map(callbacks.map((point) => [new Date(point.at).getTime(), point]));
  const sum = (of: (point: Point) => number) => callbacks.reduce((total, point) => total + of(point), 0);
  const all = sum((point) => point.count);
  const ended = sum(endedOf);
  const spans = spanStarts(period, spanSeconds).map((start) => ({
    id: start.toISOString(),
    ...namesOfPoint(start, spanSeconds, zone),
    point: found.get(start.getTime()),
  }));
  return (
    <Chart
      title="Callbacks acknowledged"
      summary={
        all === 0
          ? "None were sent in this range."
          : `${ended === 0 ? "" : `${percent(sum((point) => point.first) / ended)} of ${count(ended)} at the first attempt, ${percent(sum((point) => point.delivered) / ended)} in the end; `}${count(sum((point) => point.undelivered))} undelivered, ${count(all - ended)} still tried.`
      }
      table={{
        columns: [
          { header: "When" },
          ...["Ended", "At the first attempt", "In the end", "Undelivered", "Still tried"].map((header) => ({
            header,
            align: "end" as const,
          })),
        ],
        rows: callbacks.map((point) => ({
          key: point.at,
          cells: [
            namesOfPoint(new Date(point.at), spanSeconds, zone).name,
            ...[endedOf(point), point.first, point.delivered, point.undelivered, point.count - endedOf(point)].map(count),
          ],
        })),
      }}
    >
      {ended === 0 ? (
        <Nothing />
      ) : (
        <Lines
          label="Callbacks acknowledged, in per cent"
          series={SERIES}
          points={spans.map(({ id, tick, point }) => ({
            id,
            tick,
            values: { eventual: point ? shareOf(point.delivered, point) : null, first: point ? shareOf(point.first, point) : null },
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

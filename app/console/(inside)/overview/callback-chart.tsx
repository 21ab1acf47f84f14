import { Chart, ended, Lines } from "../../_components/controls/chart.tsx";
import type { Series } from "../../_components/controls/chart-plot.tsx";
import type { Figures } from "./use-overview.ts";
import { useSpans } from "./use-spans.ts";
import { count, percent } from "./words.ts";

const SERIES: readonly Series[] = [
  { key: "eventual", label: "Delivered", color: "var(--accent)", mark: "line" },
  { key: "first", label: "At first", color: "var(--state-undelivered-text)", mark: "dashed" },
];

type Point = Figures["callbacks"][number];

/** What was answered or has failed is measured (see `TAKEN_HELP`); what was not tried yet counts neither way. */
const triedOf = ({ delivered, undelivered, retrying }: Point) => delivered + undelivered + retrying;
const shareOf = (part: number, point: Point) => (triedOf(point) === 0 ? null : (part / triedOf(point)) * 100);

/** ⑥ How many callbacks were taken, and how many of them at the first attempt. */
export function CallbackChart({ figures }: { figures: Figures }) {
  const { callbacks } = figures;
  const { nameOf, plotOf } = useSpans(figures, callbacks, "Created");
  const sum = (of: (point: Point) => number) => callbacks.reduce((total, point) => total + of(point), 0);
  const all = sum((point) => point.count);
  const tried = sum(triedOf);
  return (
    <Chart
      title="Callbacks delivered"
      summary={
        all === 0
          ? "None were sent in this range."
          : `${tried === 0 ? "" : `${percent(sum((point) => point.delivered) / tried)} of ${count(tried)} delivered, ${percent(sum((point) => point.first) / tried)} at the first attempt; `}${count(sum((point) => point.undelivered))} undelivered, ${count(sum((point) => point.retrying))} failed and still retried.`
      }
      table={{
        columns: [{ header: "When" }, ...ended("Tried", "Delivered", "At the first attempt", "Undelivered", "Still retried")],
        rows: callbacks.map((point) => ({
          key: point.at,
          cells: [nameOf(point), ...[triedOf(point), point.delivered, point.first, point.undelivered, point.retrying].map(count)],
        })),
      }}
      isEmpty={tried === 0}
    >
      <Lines
        label="Callbacks delivered, in per cent"
        series={SERIES}
        {...plotOf(({ point }) => ({
          eventual: point ? shareOf(point.delivered, point) : null,
          first: point ? shareOf(point.first, point) : null,
        }))}
        format={(value) => `${Math.round(value)} %`}
        most={100}
      />
    </Chart>
  );
}

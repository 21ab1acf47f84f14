import { Chart, ended } from "../../_components/controls/chart.tsx";
import { Lines } from "../../_components/controls/chart-plot.tsx";
import type { Series } from "../../_components/controls/plot.ts";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { CALLBACK_CHART } from "./plot-words.ts";
import type { Figures } from "./use-overview.ts";
import { useSpans } from "./use-spans.ts";

type Translations = WithShared<typeof CALLBACK_CHART>;

const seriesOf = (t: Translations): readonly Series[] => [
  { key: "eventual", label: t.delivered, color: "var(--accent)", mark: "line" },
  { key: "first", label: t.firstAttemptLegend, color: "var(--state-undelivered-text)", mark: "dashed" },
];

type Point = Figures["callbacks"][number];

/** Counts delivered and failed callbacks (see `TAKEN_HELP`). Those not yet attempted do not count. */
const triedOf = ({ delivered, undelivered, retrying }: Point) => delivered + undelivered + retrying;
const shareOf = (part: number, point: Point) => (triedOf(point) === 0 ? null : (part / triedOf(point)) * 100);

/** ⑥ How many callbacks were delivered, and how many at the first attempt. */
export function CallbackChart({ figures }: { figures: Figures }) {
  const t = useTranslations(CALLBACK_CHART);
  const { callbacks } = figures;
  const { nameOf, plotOf } = useSpans(figures, callbacks, t.created);
  const sum = (of: (point: Point) => number) => callbacks.reduce((total, point) => total + of(point), 0);
  const all = sum((point) => point.count);
  const tried = sum(triedOf);
  return (
    <Chart
      title={t.callbacksDelivered}
      summary={
        all === 0
          ? t.none
          : t.summary(
              tried,
              t.format.percent(sum((point) => point.delivered) / tried),
              t.format.count(tried),
              t.format.percent(sum((point) => point.first) / tried),
              t.format.count(sum((point) => point.undelivered)),
              t.format.count(sum((point) => point.retrying)),
            )
      }
      table={{
        columns: [{ header: t.when }, ...ended(t.tried, t.delivered, t.firstAttempt, t.undelivered, t.stillRetried)],
        rows: callbacks.map((point) => ({
          key: point.at,
          cells: [nameOf(point), ...[triedOf(point), point.delivered, point.first, point.undelivered, point.retrying].map(t.format.count)],
        })),
      }}
      isEmpty={tried === 0}
    >
      <Lines
        label={t.caption}
        series={seriesOf(t)}
        {...plotOf(
          ({ point }) => ({
            eventual: point ? shareOf(point.delivered, point) : null,
            first: point ? shareOf(point.first, point) : null,
          }),
          triedOf,
        )}
        format={(value) => t.format.percent(value / 100)}
        most={100}
      />
    </Chart>
  );
}

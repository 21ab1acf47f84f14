import { Fragment, useState } from "react";
import { add, decimal, formatDecimal } from "#domain/decimal.ts";
import { Chart, ended, Key } from "../../_components/controls/chart.tsx";
import { Columns } from "../../_components/controls/chart-plot.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { Glance } from "../../_components/controls/glance.tsx";
import type { Series } from "../../_components/controls/plot.ts";
import { Money } from "../../_components/controls/values.tsx";
import { usePreferences } from "../../_components/frame/preferences.tsx";
import { plain } from "../../_components/lists/filters.ts";
import { useTranslations } from "../../_words/words.ts";
import { VOLUME } from "./plot-words.ts";
import type { SeriesOfRange } from "./use-overview.ts";
import { type Span, useSpans } from "./use-spans.ts";

type Point = SeriesOfRange["volume"][number];

const COLORS = ["var(--accent)", "var(--state-pending-text)", "var(--state-approved-text)", "var(--state-processing-text)"];

const pairOf = (point: Point) => `${point.source_currency} → ${point.destination_currency}`;

/** ② Delivered amounts by token; in a comparison, the period before is dashed. Amounts are added as decimals. */
export function VolumeChart({ series, isCompared }: { series: SeriesOfRange; isCompared: boolean }) {
  const hidden = usePreferences().preferences.amounts === "hidden";
  const t = useTranslations(VOLUME);
  const [pair, setPair] = useState("");
  const { period, before } = series;
  const volumeBefore = isCompared ? series.volume_before : [];
  const everything = [...series.volume, ...volumeBefore];
  const pairs = [...new Set(everything.map(pairOf))].sort();
  const chosen = pairs.includes(pair) ? pair : "";
  const wanted = (points: readonly Point[]) => points.filter((point) => chosen === "" || pairOf(point) === chosen);
  const tokens = [...new Set(wanted(everything).map(({ destination_currency: token }) => token))].sort();
  const now = sums(wanted(series.volume), "");
  const earlier = sums(wanted(volumeBefore), " before");
  const shiftMs = new Date(period.from).getTime() - new Date(before.from).getTime();
  const { spans, plotOf } = useSpans(series, series.volume, t.executed);
  const sumOf = ({ start }: Span<unknown>, key: string) =>
    now.get(`${start.getTime()} ${key}`) ?? earlier.get(`${start.getTime() - shiftMs} ${key}`) ?? "0";
  const lines = linesOf(tokens, new Set(wanted(volumeBefore).map(({ destination_currency: token }) => token)), t.before);
  return (
    <Chart
      title={t.title}
      summary={
        chosen === "" && series.volume.length > 0 ? (
          t.sumsAbove(lines.some(({ mark }) => mark === "dashed"))
        ) : (
          <Totals tokens={tokens} points={wanted(series.volume)} isCompared={lines.some(({ mark }) => mark === "dashed")} />
        )
      }
      aside={
        <>
          {pairs.length > 1 && (
            <Select
              label={t.pair}
              hideLabel
              value={chosen}
              choices={[{ value: "", label: t.allPairs }, ...plain(pairs)]}
              onChange={({ target }) => setPair(target.value)}
            />
          )}
          <Key series={lines} />
        </>
      }
      table={{
        columns: [{ header: t.when }, ...ended(...lines.map(({ label }) => label))],
        rows: spans
          .filter((span) => lines.some(({ key }) => sumOf(span, key) !== "0"))
          .map((span) => ({
            key: span.id,
            cells: [span.name, ...lines.map(({ key }) => <Money key={key} amount={sumOf(span, key)} currency={key.split(" ")[0] ?? ""} />)],
          })),
      }}
      isEmpty={everything.length === 0}
    >
      <Columns
        label={t.title}
        series={lines}
        grouped
        {...plotOf((span) => Object.fromEntries(lines.map(({ key }) => [key, Number(sumOf(span, key))])))}
        format={hidden ? () => "••••" : t.format.compact}
      />
    </Chart>
  );
}

function Totals({ tokens, points, isCompared }: { tokens: readonly string[]; points: readonly Point[]; isCompared: boolean }) {
  const t = useTranslations(VOLUME);
  if (points.length === 0) return t.none;
  return (
    <>
      {tokens.map((token, index) => (
        <Fragment key={token}>
          {index > 0 && t.and}
          <Glance amount={total(points, token)} currency={token} />
        </Fragment>
      ))}
      {isCompared && t.dashed}.
    </>
  );
}

/** A token without earlier amounts has no second line: it would only lie on the axis. */
function linesOf(tokens: readonly string[], before: ReadonlySet<string>, wordBefore: (token: string) => string): Series[] {
  return tokens.flatMap((token, index): Series[] => {
    const color = COLORS[index % COLORS.length] ?? "var(--accent)";
    const line: Series = { key: token, label: token, color, mark: "solid" };
    return before.has(token) ? [line, { key: `${token} before`, label: wordBefore(token), color, mark: "dashed" }] : [line];
  });
}

function addDecimals(left: string, right: string): string {
  return formatDecimal(add(decimal(left), decimal(right)));
}

/** By instant and line. */
function sums(points: readonly Point[], suffix: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { at, destination_currency: token, destination_amount: amount } of points) {
    const key = `${new Date(at).getTime()} ${token}${suffix}`;
    found.set(key, addDecimals(found.get(key) ?? "0", amount));
  }
  return found;
}

function total(points: readonly Point[], token: string): string {
  return points
    .filter((point) => point.destination_currency === token)
    .reduce((sum, point) => addDecimals(sum, point.destination_amount), "0");
}

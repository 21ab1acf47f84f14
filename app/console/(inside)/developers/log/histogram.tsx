import type { Answers } from "#server/console/router.ts";
import { Time, useZone } from "../../../_components/controls/values.tsx";
import { Scroll } from "../../../_components/frame/page-parts.tsx";
import type { Format } from "../../../_words/formats.ts";
import { useTranslations } from "../../../_words/words.ts";
import { HISTOGRAM } from "./words.ts";

type Summary = Answers["apiLog"]["summary"];
const CLASSES = [
  { statusClass: 2, word: "2xx", tone: "executed" },
  { statusClass: 4, word: "4xx", tone: "pending" },
  { statusClass: 5, word: "5xx", tone: "failed" },
] as const;
const HEIGHT = 96;
const STEP = 12;
const BAR = 9;

type Column = { from: number; counts: Record<number, number>; total: number };

/** Requests over the range by class of status, one bar per span. A bar links to its span. The same figures are in a table. */
export function Histogram({ summary, onZoom }: { summary: Summary; onZoom: (from: string, to: string) => void }) {
  const t = useTranslations(HISTOGRAM);
  const zone = useZone();
  const columns = columnsOf(summary);
  const most = Math.max(1, ...columns.map(({ total }) => total));
  const totals = CLASSES.map((each) => ({ ...each, count: columns.reduce((sum, { counts }) => sum + (counts[each.statusClass] ?? 0), 0) }));
  const all = totals.reduce((sum, { count }) => sum + count, 0);
  const spanMs = summary.span_seconds * 1_000;
  const zoom = ({ from }: Column) => onZoom(new Date(from).toISOString(), new Date(from + spanMs).toISOString());
  return (
    <figure className="histogram">
      <figcaption className="histogram-head">
        <span>{t.barTitle(all, t.format.span(spanMs), most)}</span>
        <ul className="histogram-legend" translate="no">
          {totals.map(({ word, tone, count }) => (
            <li key={word} data-tone={tone}>
              <span className="histogram-mark" aria-hidden /> {word} {count}
            </li>
          ))}
        </ul>
      </figcaption>
      {/* Every bar is also a row of the table below, with a button. This one is for pointers. */}
      <svg className="histogram-plot" viewBox={`0 0 ${columns.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {columns.map((column, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below has the same as buttons
          <g
            key={column.from}
            className="histogram-column"
            onClick={() => column.total > 0 && zoom(column)}
            data-any={column.total > 0 || undefined}
          >
            <title>{`${t.format.absolute(new Date(column.from).toISOString(), zone)}: ${column.total}`}</title>
            <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className="histogram-ground" />
            {barsOf(column, most).map(({ tone, y, height }) => (
              <rect
                key={tone}
                x={index * STEP + (STEP - BAR) / 2}
                y={y}
                width={BAR}
                height={height}
                data-tone={tone}
                className="histogram-bar"
              />
            ))}
          </g>
        ))}
      </svg>
      <div className="histogram-axis" aria-hidden>
        <span>{axisText(summary.from, summary.span_seconds, zone, t.format)}</span>
        <span>{axisText(summary.to, summary.span_seconds, zone, t.format)}</span>
      </div>
      <details>
        <summary>{t.asTable}</summary>
        <Scroll label={t.caption}>
          <table className="attempt-table">
            <caption className="sr-only">{t.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{t.from}</th>
                {CLASSES.map(({ word }) => (
                  <th key={word} scope="col" translate="no">
                    {word}
                  </th>
                ))}
                <th scope="col">
                  <span className="sr-only">{t.zoom}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {columns
                .filter(({ total }) => total > 0)
                .map((column) => (
                  <tr key={column.from}>
                    <td>
                      <Time at={new Date(column.from).toISOString()} form="absolute" />
                    </td>
                    {CLASSES.map(({ statusClass, word }) => (
                      <td key={word}>{column.counts[statusClass] ?? 0}</td>
                    ))}
                    <td>
                      <button type="button" className="chip" onClick={() => zoom(column)}>
                        {t.showThese}
                      </button>
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </figure>
  );
}

/** Every span of the range, including those without a request. */
function columnsOf({ from, to, span_seconds, bars }: Summary): Column[] {
  const spanMs = span_seconds * 1_000;
  const first = Math.floor(new Date(from).getTime() / spanMs) * spanMs;
  const count = Math.min(200, Math.max(1, Math.ceil((new Date(to).getTime() - first) / spanMs)));
  const columns = Array.from({ length: count }, (_, index): Column => ({ from: first + index * spanMs, counts: {}, total: 0 }));
  for (const { at, status_class, count: number } of bars) {
    const column = columns[Math.round((new Date(at).getTime() - first) / spanMs)];
    if (column === undefined) continue;
    // Everything except 2xx and 5xx was refused.
    const statusClass = status_class === 2 || status_class === 5 ? status_class : 4;
    column.counts[statusClass] = (column.counts[statusClass] ?? 0) + number;
    column.total += number;
  }
  return columns;
}

/** From the bottom up; a non-zero value is always visible. */
function barsOf({ counts }: Column, most: number) {
  let top = HEIGHT;
  return CLASSES.flatMap(({ statusClass, tone }) => {
    const count = counts[statusClass] ?? 0;
    if (count === 0) return [];
    const height = Math.max(2, (count / most) * (HEIGHT - 4));
    top -= height;
    return [{ tone, y: Math.max(0, top), height }];
  });
}

function axisText(at: string, spanSeconds: number, zone: "utc" | "local", { absolute, hourAndMinute }: Format): string {
  return spanSeconds >= 3_600 ? absolute(at, zone).replace(/:\d\d( UTC)?$/, "$1") : hourAndMinute(at, zone);
}

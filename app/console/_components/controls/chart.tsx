import { ChartColumn, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslations } from "../../_words/words.ts";
import type { PlotProps } from "./plot.ts";
import { CHART } from "./words.ts";

export type FigureTable = {
  columns: readonly { header: string; align?: "end" }[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
};

type ChartProps = {
  title: string;
  /** What the plot shows, in a sentence: for everybody, and for those who cannot see it all there is. */
  summary: ReactNode;
  /** Controls next to the title: a choice, a legend. */
  aside?: ReactNode;
  table: FigureTable;
  /** There is nothing to be drawn: its summary says so, in one line. */
  isEmpty?: boolean;
  children: ReactNode;
};

/** Columns of figures, right-aligned like their headers. */
export function ended(...headers: string[]): FigureTable["columns"] {
  return headers.map((header) => ({ header, align: "end" }));
}

/** A plot with its summary; the same figures are one click away as a table. */
export function Chart({ title, summary, aside, table, isEmpty, children }: ChartProps) {
  const t = useTranslations(CHART);
  const [isTable, setIsTable] = useState(false);
  if (isEmpty)
    return (
      <figure className="chart" aria-label={title} data-empty>
        <figcaption className="chart-title">
          <h2>{title}</h2>
          <p className="chart-summary">{summary}</p>
        </figcaption>
      </figure>
    );
  return (
    <figure className="chart" aria-label={title}>
      <figcaption className="chart-caption">
        <div className="chart-title">
          <h2>{title}</h2>
          <button
            type="button"
            className="button chart-toggle"
            data-look="quiet"
            aria-pressed={isTable}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? <ChartColumn aria-hidden size={16} /> : <Table2 aria-hidden size={16} />}
            <span className="sr-only">{title}: </span>
            {t.asTable}
          </button>
        </div>
        <p className="chart-summary">{summary}</p>
        {aside}
      </figcaption>
      {isTable ? <TableOf title={title} table={table} /> : children}
    </figure>
  );
}

function TableOf({ title, table: { columns, rows } }: { title: string; table: FigureTable }) {
  const t = useTranslations(CHART);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className="chart-table" aria-label={t.table(title)} tabIndex={0}>
      <table className="table">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            {columns.map(({ header, align }) => (
              <th key={header} scope="col" data-align={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {columns.map(({ header, align }, index) => (
                <td key={header} data-align={align}>
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The legend of a plot's colours and marks. */
export function Key({ series }: { series: PlotProps["series"] }) {
  return (
    <ul className="chart-key">
      {series.map(({ key, label, color, mark }) => (
        <li key={key}>
          <Swatch color={color} mark={mark} />
          {label}
        </li>
      ))}
    </ul>
  );
}

function Swatch({ color, mark = "solid" }: { color: string; mark: PlotProps["series"][number]["mark"] }) {
  return (
    <svg aria-hidden width="14" height="12" viewBox="0 0 14 12">
      {mark === "line" || mark === "dashed" ? (
        <line x1="0" y1="6" x2="14" y2="6" stroke={color} strokeWidth="2" strokeDasharray={mark === "dashed" ? "4 3" : undefined} />
      ) : (
        <>
          <rect
            x="0.75"
            y="0.75"
            width="12.5"
            height="10.5"
            rx="2"
            fill={mark === "solid" ? color : "none"}
            stroke={color}
            strokeWidth="1.5"
          />
          {mark === "striped" && <path d="M2 11 L9 1 M6 11 L13 1" stroke={color} strokeWidth="1.5" />}
          {mark === "dotted" && <path d="M4 6h.1 M7 4h.1 M7 8h.1 M10 6h.1" stroke={color} strokeWidth="2" strokeLinecap="round" />}
        </>
      )}
    </svg>
  );
}

/** A bar from zero with the `share` of its total, and a mark at the threshold. */
export function Bar({ share, tone, threshold }: { share: number; tone?: string; threshold?: number }) {
  const percent = (value: number) => `${Math.min(100, Math.max(0, value * 100))}%`;
  return (
    <svg className="bar" data-tone={tone} aria-hidden width="100%" height="8">
      <rect className="bar-whole" width="100%" height="8" rx="2" />
      <rect className="bar-part" width={percent(share)} height="8" rx="2" />
      {threshold !== undefined && <line className="bar-threshold" x1={percent(threshold)} x2={percent(threshold)} y1="-3" y2="11" />}
    </svg>
  );
}

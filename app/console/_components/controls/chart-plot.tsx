import { useId } from "react";
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  type DotItemDotProps,
  type LabelProps,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { SHARED } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";
import { labelPlaces, roomFor } from "./plot-labels.ts";

/** The plots with their library, loaded only where a chart is (see `chart.tsx`). */

export type Series = {
  key: string;
  label: string;
  /** A design token, `var(--…)`. */
  color: string;
  /** How the series differs from others besides its colour. */
  mark?: "solid" | "striped" | "dotted" | "outlined" | "line" | "dashed";
};

export type PlotProps = {
  /** For screen readers. */
  label: string;
  series: readonly Series[];
  points: readonly PlotPoint[];
  /** The formatted value. */
  format: (value: number) => string;
  /** A short form for the axis; default: `format`. */
  tick?: (value: number) => string;
  /** The label of a point in the tooltip. Its `tick` is the label at the axis. */
  nameOf?: (point: PlotPoint) => string;
  /** Below the axis: its unit, above all the time zone. */
  axis?: string;
  /** The effect of a click on a series' segment of a point. */
  onPick?: ((point: PlotPoint, key: string) => void) | undefined;
  /** Fills between two lines. */
  band?: { from: string; to: string; color: string };
  /** A horizontal line, such as a threshold. */
  reference?: { at: number; label: string };
  /** The upper end of the axis; default: from the values. */
  most?: number;
  /** A few points whose labels all fit. */
  everyTick?: boolean;
};
/** `values` by the keys of the series; null: not measured. `weight`: the sample size, which sets the size of its dots. */
export type PlotPoint = { id: string; tick: string; values: Readonly<Record<string, number | null>>; weight?: number };

const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };
const HEIGHT = 220;

/** Sums: a column for each series at each point, stacked or side by side. A dashed series is a line for comparison. */
export function Columns({ series: all, points, onPick, grouped, ...rest }: PlotProps & { grouped?: boolean }) {
  const id = useId();
  const series = all.filter(({ mark }) => mark !== "dashed");
  return (
    <Plot series={all} points={points} {...rest}>
      <defs>
        {series.map((each) => (
          <Pattern key={each.key} id={`${id}${each.key}`} series={each} />
        ))}
      </defs>
      {series.map(({ key, label, color, mark }) => (
        <Bar
          key={key}
          name={label}
          dataKey={(point: PlotPoint) => point.values[key] ?? 0}
          stackId={grouped ? key : "all"}
          fill={mark === undefined || mark === "solid" ? color : `url(#${id}${key})`}
          stroke={mark === undefined || mark === "solid" ? "none" : color}
          isAnimationActive={false}
          maxBarSize={36}
          className={onPick ? "plot-pick" : ""}
          onClick={(_, index) => {
            const point = points[index];
            if (onPick && point) onPick(point, key);
          }}
        />
      ))}
      {all
        .filter(({ mark }) => mark === "dashed")
        .map(({ key, label, color }) => (
          <Line key={key} name={label} {...lineOf(key)} type="step" stroke={color} strokeWidth={1.5} strokeDasharray="4 3" dot={false} />
        ))}
    </Plot>
  );
}

/** Nothing is drawn where nothing was measured. */
function lineOf(key: string) {
  return {
    dataKey: (point: PlotPoint) => point.values[key] ?? null,
    isAnimationActive: false,
    connectNulls: false,
  };
}

function Pattern({ id, series: { color, mark } }: { id: string; series: Series }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform={mark === "striped" ? "rotate(45)" : undefined}>
      <rect width="6" height="6" fill="var(--canvas)" />
      {mark === "striped" && <rect width="3" height="6" fill={color} />}
      {mark === "dotted" && <circle cx="3" cy="3" r="1.4" fill={color} />}
    </pattern>
  );
}

/**
 * A line per series, with its name at its end. `step`: constant from one point to the next. A point without a neighbour is a single dot.
 */
export function Lines({ series, points, band, step, ...rest }: PlotProps & { step?: boolean }) {
  const places = labelPlaces(series, points, HEIGHT);
  const heaviest = Math.max(1, ...points.map(({ weight }) => weight ?? 0));
  const type = step ? "step" : "linear";
  return (
    <Plot series={series} points={points} {...rest} roomRight={roomFor(series)}>
      {band && (
        <Area
          dataKey={({ values }: PlotPoint) => bandOf(values[band.from], values[band.to])}
          type={type}
          stroke="none"
          fill={band.color}
          fillOpacity={0.14}
          isAnimationActive={false}
          tooltipType="none"
          activeDot={false}
          connectNulls={false}
        />
      )}
      {series.map(({ key, label, color, mark }) => (
        <Line
          key={key}
          name={label}
          {...lineOf(key)}
          type={type}
          stroke={color}
          strokeWidth={mark === "dashed" ? 1.5 : 2}
          strokeDasharray={mark === "dashed" ? "4 3" : ""}
          dot={
            points.some(({ values }) => values[key] === null) &&
            (({ key: id, cx, cy, payload }: DotItemDotProps) =>
              payload.values[key] === null ? (
                <g key={id} />
              ) : (
                <circle key={id} cx={cx} cy={cy} r={radiusOf(payload, heaviest)} fill={mark === "dashed" ? "none" : color} stroke={color} />
              ))
          }
          label={({ index, x, y }: LabelProps) =>
            index === places.get(key)?.index ? (
              <text className="plot-label" x={Number(x) + 9} y={Number(y) + 4 + (places.get(key)?.shift ?? 0)} fill={color}>
                {label}
              </text>
            ) : (
              <g />
            )
          }
        />
      ))}
    </Plot>
  );
}

/** The area of a dot is its share of the largest. */
function radiusOf({ weight }: PlotPoint, heaviest: number): number {
  return weight === undefined ? 2.5 : 2 + 4 * Math.sqrt(weight / heaviest);
}

function bandOf(from: number | null | undefined, to: number | null | undefined): [number, number] | null {
  return typeof from === "number" && typeof to === "number" ? [from, to] : null;
}

type PlotFrame = Omit<PlotProps, "onPick" | "band"> & { children: React.ReactNode; roomRight?: number };

function Plot({
  label,
  points,
  format,
  tick = format,
  nameOf,
  axis,
  reference,
  most,
  everyTick,
  children,
  roomRight = MARGIN.right,
}: PlotFrame) {
  return (
    <div className="plot">
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <ComposedChart data={[...points]} margin={{ ...MARGIN, right: roomRight }} accessibilityLayer title={label}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="tick" tickLine={false} axisLine={{ stroke: "var(--line)" }} minTickGap={28} {...(everyTick && { interval: 0 })} />
          <YAxis width={52} tickLine={false} axisLine={false} tickFormatter={tick} allowDecimals={false} domain={[0, most ?? "auto"]} />
          {reference && (
            <ReferenceLine
              y={reference.at}
              stroke="var(--muted)"
              strokeDasharray="2 3"
              label={{ value: reference.label, position: "insideTopLeft" }}
            />
          )}
          {children}
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--muted)", fill: "var(--hover)", fillOpacity: 0.6 }}
            content={(props) => <Looked {...props} format={format} nameOf={nameOf} />}
          />
        </ComposedChart>
      </ResponsiveContainer>
      {axis && <p className="plot-axis">{axis}</p>}
    </div>
  );
}

type LookedProps = Pick<TooltipContentProps, "active" | "payload"> & Pick<PlotProps, "format"> & { nameOf: PlotProps["nameOf"] };

/** The figures of the hovered or selected point. */
function Looked({ active, payload, format, nameOf }: LookedProps) {
  const t = useTranslations(SHARED);
  const point: PlotPoint | undefined = payload[0]?.payload;
  if (!active || point === undefined) return null;
  const shown = payload.filter(({ value }) => typeof value === "number" && value !== 0);
  return (
    <div className="tooltip plot-tooltip" role="tooltip">
      <p className="plot-tooltip-name">{nameOf?.(point) ?? point.tick}</p>
      {shown.length === 0 && <p>{t.none}</p>}
      {shown.map(({ name, value }) => (
        <p key={String(name)} className="plot-tooltip-line">
          <span>{String(name)}</span>
          <span>{format(Number(value))}</span>
        </p>
      ))}
    </div>
  );
}

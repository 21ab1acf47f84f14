import { type ReactNode, useId, useRef, useState } from "react";
import { lazyComponent } from "./lazy-component.tsx";
import type { PlotPoint, PlotProps, Series } from "./plot.ts";
import { bandOf, FOOT, HEIGHT, labelPlaces, namedPoints, pathOf, percentOf, roomFor, type Scale, scaleFor, WIDE } from "./plot-scale.ts";

/** Plots as SVG, drawn on the server. What reads a point under the pointer or by arrow keys loads when somebody is active. */

/** In per cent of the plot: a column of a few points is not as wide as its share. */
const WIDEST = 6;
const FILLED = 0.8;

const Reading = lazyComponent(() => import("./plot-reading.tsx").then((loaded) => loaded.Reading));

/** Sums: a column for each series at each point, stacked or side by side. A dashed series is a line for comparison. */
export function Columns({ grouped, ...plot }: PlotProps & { grouped?: boolean }) {
  const id = useId();
  const { points, onPick } = plot;
  const [lines, columns] = [plot.series.filter(({ mark }) => mark === "dashed"), plot.series.filter(({ mark }) => mark !== "dashed")];
  const valuesOf = ({ values }: PlotPoint, series: readonly Series[]) => series.map(({ key }) => values[key] ?? 0);
  const heights = points.flatMap((point) => {
    const values = valuesOf(point, columns);
    return [...(grouped ? values : [values.reduce((sum, value) => sum + value, 0)]), ...valuesOf(point, lines)];
  });
  const scale = scaleFor(heights, plot.most);
  const share = Math.min(WIDEST, (100 / points.length) * FILLED) / (grouped ? Math.max(1, columns.length) : 1);
  const left = (place: number, column: number) =>
    `${(((place + 0.5) / points.length) * 100 + share * (grouped ? column - columns.length / 2 : -0.5)).toFixed(2)}%`;
  return (
    <Plot {...plot} scale={scale}>
      <defs>
        {columns.filter(isPattern).map((each) => (
          <Pattern key={each.key} id={`${id}${each.key}`} series={each} />
        ))}
      </defs>
      {points.map((point, place) => {
        let below = 0;
        return columns.map(({ key, label, color, mark }, column) => {
          const value = point.values[key] ?? 0;
          if (value <= 0) return null;
          const [foot, top] = [scale.yOf(below), scale.yOf(below + value)];
          if (!grouped) below += value;
          const filled = isPattern({ mark }) ? { fill: `url(#${id}${key})`, stroke: color } : { fill: color };
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same as links
            <rect
              key={`${point.id} ${key}`}
              data-series={label}
              {...filled}
              x={left(place, column)}
              y={top}
              width={`${share.toFixed(2)}%`}
              height={foot - top}
              className={onPick && "plot-pick"}
              onClick={onPick && (() => onPick(point, key))}
            />
          );
        });
      })}
      <Stretched>
        {lines.map((each) => (
          <LinePath key={each.key} series={each} points={points} yOf={scale.yOf} step />
        ))}
      </Stretched>
    </Plot>
  );
}

const isPattern = ({ mark }: { mark?: Series["mark"] | undefined }) => mark !== undefined && mark !== "solid";

function Pattern({ id, series: { color, mark } }: { id: string; series: Series }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform={mark === "striped" ? "rotate(45)" : undefined}>
      <rect width="6" height="6" fill="var(--canvas)" />
      {mark === "striped" && <rect width="3" height="6" fill={color} />}
      {mark === "dotted" && <circle cx="3" cy="3" r="1.4" fill={color} />}
    </pattern>
  );
}

/** A line per series, with its name at its end. `step`: a level over each point. A point without a neighbour is a single dot. */
export function Lines({ band, step = false, ...plot }: PlotProps & { step?: boolean }) {
  const { series, points } = plot;
  const all = points.flatMap(({ values }) => series.map(({ key }) => values[key] ?? 0));
  const scale = scaleFor([...all, ...(plot.reference ? [plot.reference.at] : [])], plot.most);
  const places = labelPlaces(series, points, scale.yOf);
  const heaviest = Math.max(1, ...points.map(({ weight }) => weight ?? 0));
  return (
    <Plot {...plot} scale={scale} roomRight={roomFor(series)}>
      <Stretched>
        {band && (
          <path d={bandOf(valuesOf(points, band.from), valuesOf(points, band.to), scale.yOf)} fill={band.color} fillOpacity={0.14} />
        )}
        {series.map((each) => (
          <LinePath key={each.key} series={each} points={points} yOf={scale.yOf} step={step} />
        ))}
      </Stretched>
      {series.map(({ key, label, color, mark }) => {
        const end = places.get(key);
        return (
          <g key={key}>
            {points.map((point, index) => {
              const value = point.values[key];
              const isAlone = !step && !isMeasured(points[index - 1], key) && !isMeasured(points[index + 1], key);
              if (typeof value !== "number" || (point.weight === undefined && !isAlone)) return null;
              return (
                <circle
                  key={point.id}
                  data-series={label}
                  cx={percentOf(index, points.length)}
                  cy={scale.yOf(value)}
                  r={radiusOf(point, heaviest)}
                  fill={mark === "dashed" ? "none" : color}
                  stroke={color}
                />
              );
            })}
            {end && (
              <text className="plot-label" x={percentOf(end.index, points.length, step ? 1 : 0.5)} y={end.y + 4} dx="9" fill={color}>
                {label}
              </text>
            )}
          </g>
        );
      })}
    </Plot>
  );
}

/** The area of a dot is its share of the largest. */
function radiusOf({ weight }: PlotPoint, heaviest: number): number {
  return weight === undefined ? 2.5 : Math.round((2 + 4 * Math.sqrt(weight / heaviest)) * 100) / 100;
}

function isMeasured(point: PlotPoint | undefined, key: string): boolean {
  return typeof point?.values[key] === "number";
}

function valuesOf(points: readonly PlotPoint[], key: string): (number | null)[] {
  return points.map(({ values }) => values[key] ?? null);
}

type LinePathProps = { series: Series; points: readonly PlotPoint[]; yOf: Scale["yOf"]; step: boolean };

function LinePath({ series: { key, label, color, mark }, points, yOf, step }: LinePathProps) {
  return (
    <path
      data-series={label}
      d={pathOf(valuesOf(points, key), yOf, step)}
      fill="none"
      stroke={color}
      strokeWidth={mark === "dashed" ? 1.5 : 2}
      strokeDasharray={mark === "dashed" ? "4 3" : undefined}
      vectorEffect="non-scaling-stroke"
    />
  );
}

/** As wide as the plot, whatever that is; strokes keep their width. */
function Stretched({ children }: { children: ReactNode }) {
  return (
    <svg width="100%" height={HEIGHT} viewBox={`0 0 ${WIDE} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      {children}
    </svg>
  );
}

type PlotFrame = PlotProps & { scale: Scale; children: ReactNode; roomRight?: number };

function Plot({ scale, children, roomRight, ...plot }: PlotFrame) {
  const area = useRef<SVGSVGElement>(null);
  const [isUsed, setUsed] = useState(false);
  const { label, points, format, tick = format, axis, reference, everyTick = false } = plot;
  return (
    <div className="plot">
      <div className="plot-body">
        <svg width="52" height={HEIGHT} aria-hidden>
          {scale.ticks.map((value) => (
            <text key={value} x="46" y={scale.yOf(value) + 4} textAnchor="end">
              {tick(value)}
            </text>
          ))}
        </svg>
        <svg
          ref={area}
          className="plot-area"
          width="100%"
          height={HEIGHT}
          role="application"
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read its points
          tabIndex={0}
          onPointerEnter={() => setUsed(true)}
          onFocus={() => setUsed(true)}
        >
          {scale.ticks.map((value) => (
            <line key={value} className="plot-line" x1="0" x2="100%" y1={scale.yOf(value)} y2={scale.yOf(value)} />
          ))}
          {namedPoints(points.length, everyTick).map((index, place) => (
            <text
              key={points[index]?.id}
              className="plot-tick"
              data-second={place % 2 === 1 && !everyTick ? true : undefined}
              {...(index + 1 < points.length || everyTick
                ? { x: percentOf(index, points.length), textAnchor: "middle" }
                : { x: "100%", textAnchor: "end" })}
              y={FOOT + 20}
            >
              {points[index]?.tick}
            </text>
          ))}
          {children}
          {reference && (
            <g>
              <line className="plot-reference" x1="0" x2="100%" y1={scale.yOf(reference.at)} y2={scale.yOf(reference.at)} />
              <text x="4" y={scale.yOf(reference.at) - 5}>
                {reference.label}
              </text>
            </g>
          )}
        </svg>
        {roomRight !== undefined && <svg width={roomRight} height="1" aria-hidden />}
        {isUsed && <Reading area={area} plot={plot} />}
      </div>
      {axis && <p className="plot-axis">{axis}</p>}
    </div>
  );
}

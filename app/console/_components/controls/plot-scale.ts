/** Where a plot's parts are: heights in pixels, widths as shares of the plot, so that it needs no measuring. */

type Point = { values: Readonly<Record<string, number | null>> };
type Keyed = { key: string };

export const HEIGHT = 220;
/** The highest value is at the top of this part, zero is at its foot; the names of points are below. */
const TOP = 8;
export const FOOT = 194;
/** The width of a drawing that is stretched to the plot's. */
export const WIDE = 1_000;

const LABEL_HEIGHT = 14;
const TICKS = 4;
/** The most names of points that have space below a plot. */
const NAMES = 7;

export type Scale = { ticks: readonly number[]; yOf: (value: number) => number };

/** From zero to a round number above the highest value. Counts have no ticks between whole numbers. */
export function scaleFor(values: readonly number[], most?: number): Scale {
  const highest = Math.max(0, ...values) || 1;
  const least = values.every(Number.isInteger) ? 1 : 0;
  const rough = (most ?? highest) / TICKS;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, magnitude * ([1, 2, 5].find((factor) => factor * magnitude >= rough) ?? 10));
  const top = most ?? Math.ceil(highest / step - 1e-9) * step;
  const ticks = Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => Number((index * step).toPrecision(12)));
  return { ticks, yOf: (value) => round(FOOT - (Math.min(value, top) / top) * (FOOT - TOP)) };
}

/** The points whose names are written, in equal distances; a narrow screen shows every second one of them. */
export function namedPoints(count: number, everyTick: boolean): readonly number[] {
  const step = everyTick ? 1 : Math.ceil(count / NAMES);
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

/** A point's share of the width, in per cent: its middle by default. */
export function percentOf(index: number, count: number, within = 0.5): string {
  return `${round(((index + within) / count) * 100)}%`;
}

/** A line through what was measured. `step`: level over each point's whole width. A gap separates two pieces. */
export function pathOf(values: readonly (number | null)[], yOf: Scale["yOf"], step: boolean): string {
  const x = (place: number) => round((place / values.length) * WIDE);
  return values
    .map((value, index) => {
      if (value === null) return "";
      const command = typeof values[index - 1] === "number" ? "L" : "M";
      const y = yOf(value);
      return step ? `${command}${x(index)},${y}L${x(index + 1)},${y}` : `${command}${x(index + 0.5)},${y}`;
    })
    .join("");
}

/** What lies between two lines, for each piece without a gap. */
export function bandOf(low: readonly (number | null)[], high: readonly (number | null)[], yOf: Scale["yOf"]): string {
  const x = (place: number) => round(((place + 0.5) / low.length) * WIDE);
  let [path, there, back]: [string, string[], string[]] = ["", [], []];
  for (const [index, value] of [...low, null].entries()) {
    const upper = high[index];
    if (typeof value === "number" && typeof upper === "number") {
      there.push(`${x(index)},${yOf(upper)}`);
      back.unshift(`${x(index)},${yOf(value)}`);
    } else {
      if (there.length > 1) path += `M${[...there, ...back].join("L")}Z`;
      [there, back] = [[], []];
    }
  }
  return path;
}

/** For the longest name at a line's end, in the letters of the plot (12 px). */
export function roomFor(series: readonly { label: string }[]): number {
  return 15 + 7 * Math.max(0, ...series.map(({ label }) => label.length));
}

/** The point of each line's label, and its height; labels keep apart. */
export function labelPlaces(
  series: readonly Keyed[],
  points: readonly Point[],
  yOf: Scale["yOf"],
): Map<string, { index: number; y: number }> {
  const ends = series
    .map(({ key }) => {
      const index = points.findLastIndex(({ values }) => typeof values[key] === "number");
      return { key, index, y: yOf(points[index]?.values[key] ?? 0) };
    })
    .filter(({ index }) => index >= 0)
    .sort((left, right) => right.y - left.y);
  const places = new Map<string, { index: number; y: number }>();
  let lowest = Number.POSITIVE_INFINITY;
  for (const { key, index, y } of ends) {
    lowest = Math.min(y, lowest - LABEL_HEIGHT);
    places.set(key, { index, y: lowest });
  }
  return places;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

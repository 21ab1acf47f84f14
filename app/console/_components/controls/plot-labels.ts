/** The positions of line labels in a plot. */

type Point = { values: Readonly<Record<string, number | null>> };

const LABEL_HEIGHT = 14;

/** For the longest name at a line's end, in the letters of the plot (12 px). */
export function roomFor(series: readonly { label: string }[]): number {
  return 15 + 7 * Math.max(0, ...series.map(({ label }) => label.length));
}

/** The point of each line's label, and the vertical shift that keeps labels apart. */
export function labelPlaces(
  series: readonly { key: string }[],
  points: readonly Point[],
  height: number,
): Map<string, { index: number; shift: number }> {
  const most = Math.max(1e-9, ...points.flatMap(({ values }) => series.map(({ key }) => values[key] ?? 0)));
  const ends = series
    .map(({ key }) => {
      const index = points.findLastIndex(({ values }) => typeof values[key] === "number");
      return { key, index, y: height * 0.8 * (1 - (points[index]?.values[key] ?? 0) / most) };
    })
    .filter(({ index }) => index >= 0)
    .sort((left, right) => right.y - left.y);
  const places = new Map<string, { index: number; shift: number }>();
  let lowest = Number.POSITIVE_INFINITY;
  for (const { key, index, y } of ends) {
    const at = Math.min(y, lowest - LABEL_HEIGHT);
    places.set(key, { index, shift: at - y });
    lowest = at;
  }
  return places;
}

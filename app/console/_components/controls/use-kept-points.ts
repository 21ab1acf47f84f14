import { useCallback, useRef, useState } from "react";

/**
 * Keeps the points of a plot in their places while somebody looks at one, by pointer or by keyboard: a point is looked at by its place, so
 * another one would come under the reader's eyes. Points that time adds or drops wait until the reader leaves.
 *
 * @returns the points to draw, and what the plot calls when a look begins (true) and ends (false).
 */
export function useKeptPoints<Point extends { id: string }>(
  points: readonly Point[],
): [shown: readonly Point[], look: (isLooking: boolean) => void] {
  const [kept, keep] = useState<readonly Point[] | null>(null);
  const shown = kept === null ? points : inPlace(kept, points);
  const current = useRef(shown);
  current.current = shown;
  const look = useCallback((isLooking: boolean) => keep(isLooking ? current.current : null), []);
  return [shown, look];
}

/** The points of `kept` with the figures of `points`, if those are the same points some time later; if they are of another range, those. */
export function inPlace<Point extends { id: string }>(kept: readonly Point[], points: readonly Point[]): readonly Point[] {
  const dropped = kept.findIndex(({ id }) => id === points[0]?.id);
  const common = kept.slice(dropped).length;
  const isLater = dropped >= 0 && common > 1 && kept.slice(dropped).every(({ id }, index) => id === points[index]?.id);
  return isLater ? [...kept.slice(0, dropped), ...points.slice(0, common)] : points;
}
